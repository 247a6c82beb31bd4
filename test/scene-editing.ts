import { randomUUID } from 'node:crypto'
import * as Y from 'yjs'
import type { SceneDocument } from '../src/engine/scenes/document.ts'
import { openScene } from '../src/features/overlays/sceneDocuments/commands/coediting.ts'
import { createDraft } from '../src/features/overlays/sceneDocuments/commands/drafts.ts'
import { documentOf, rootOf } from '../src/features/overlays/sceneDocuments/rules/shape.ts'
import type { Caller, Harness } from './harness.ts'
import type { MadeTournament } from './make.ts'
import type { Packet } from './realtime/copies.ts'
import { openSocket, type Socket } from './realtime/sockets.ts'

/**
 * Overlays whose scenes are edited over sockets, and editors like those of pages: a Yjs document that follows a topic.
 */

export interface MadeScene {
  readonly guid: string
  readonly topic: string
}

export async function makeScene(
  api: Harness,
  tournament: MadeTournament,
  document: SceneDocument,
  options: { readonly by: Caller; readonly access?: string; readonly editors?: readonly Caller[] },
): Promise<MadeScene> {
  const { by, access = 'token', editors = [] } = options
  const guid = randomUUID()
  await api.sql('insert into overlays (guid, tournament_guid, name, access) values ($1, $2, $3, $4)', [
    ...[guid, tournament.guid, `Overlay ${guid}`, access],
  ])
  for (const { guid: user } of editors) {
    await api.sql('insert into overlay_editors (overlay_guid, user_guid) values ($1, $2)', [guid, user])
  }
  const { database } = api.app
  await database.transaction((tx) => createDraft(tx, guid, document, { by: by.guid, now: new Date() }))
  return { guid, topic: `/tournaments/${tournament.guid}/overlays/${guid}/scene` }
}

/** The stored document, with all accepted updates. */
export async function storedScene({ app }: Harness, { guid }: MadeScene): Promise<SceneDocument> {
  const held = await app.database.snapshot((db) => openScene(db, { guid, tournament: '' }))
  const doc = new Y.Doc()
  Y.applyUpdate(doc, held?.since(null) as Uint8Array)
  return documentOf(doc)
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const remote = 'remote'
/** The number of bytes of an empty update. */
const nothing = 2

/** An editor with an open scene, online or offline. */
export class SceneEditor {
  doc = new Y.Doc()
  generation: number | undefined
  socket: Socket | null = null
  clientId: number | null = null
  readOnly: boolean | null = null
  /** The number of stored updates. */
  accepted = 0
  /** The other answers. */
  readonly refused: Packet[] = []
  readonly topic: string
  /** A number that the test reads from the document, and the highest value of it that is known to be stored. */
  markOf: () => number = () => 0
  acceptedMark = 0
  #seq = 0

  constructor(topic: string) {
    this.topic = topic
    this.#listen()
  }

  #listen(): void {
    this.doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== remote) this.send(update)
    })
  }

  /** Connects, and subscribes with the current state. */
  async open(api: { readonly app: Pick<Harness['app'], 'socketAddress'> }, as: Caller): Promise<Packet> {
    const socket = await openSocket(api, { as })
    const { copies } = socket
    const seen = copies.packets.length
    this.socket = socket
    let at = seen
    socket.socket.on('message', () => {
      for (; at < copies.packets.length; at++) this.take(copies.packets[at])
    })
    return this.subscribe()
  }

  async subscribe(more: object = {}): Promise<Packet> {
    const held =
      this.generation === undefined
        ? {}
        : { generation: this.generation, vector: base64(Y.encodeStateVector(this.doc)) }
    return this.socket?.ask({ type: 'subscribe', topic: this.topic, ...held, ...more })
  }

  take(packet: Packet): void {
    if (packet.topic !== this.topic) return
    if (packet.type === 'update') Y.applyUpdate(this.doc, Buffer.from(packet.data, 'base64'), remote)
    if (packet.type === 'snapshot') this.#begin(packet.body)
  }

  #begin({ generation, update, vector, clientId, readOnly }: Packet): void {
    if (this.generation !== undefined && this.generation !== generation) {
      this.doc.destroy()
      this.doc = new Y.Doc()
      this.#listen()
    }
    this.generation = generation
    Y.applyUpdate(this.doc, Buffer.from(update, 'base64'), remote)
    this.clientId = clientId
    this.readOnly = readOnly
    if (clientId === null) return
    this.doc.clientID = clientId
    const lacked = Y.encodeStateAsUpdate(this.doc, Buffer.from(vector, 'base64'))
    // The changes made without a connection, including deletions.
    if (lacked.length > nothing) this.send(lacked)
  }

  send(update: Uint8Array): void {
    const { socket } = this
    if (socket === null || socket.socket.readyState !== 1) return
    const mark = this.markOf()
    socket.ask({ type: 'update', topic: this.topic, data: base64(update), seq: ++this.#seq }).then(
      (answer) => {
        if (answer.type !== 'accepted') return this.refused.push(answer)
        this.acceptedMark = Math.max(this.acceptedMark, mark)
        return this.accepted++
      },
      // The connection ended before the answer.
      () => {},
    )
  }

  edit(act: (root: Y.Map<unknown>) => void): void {
    this.doc.transact(() => act(rootOf(this.doc)))
  }

  get document(): SceneDocument {
    return documentOf(this.doc)
  }

  /** Resolves when the service has answered everything that was sent. */
  async settled(): Promise<void> {
    await this.socket?.ask({ type: 'ping' })
  }

  /** Discards the document and its unsent changes. */
  reset(): void {
    this.drop()
    this.doc.destroy()
    this.doc = new Y.Doc()
    this.generation = undefined
    this.#listen()
  }

  /** Disconnects without a close frame. */
  drop(): void {
    this.socket?.socket.terminate()
    this.socket = null
  }

  async close(): Promise<void> {
    await this.socket?.close()
    this.socket = null
  }
}

export function elementsIn(root: Y.Map<unknown>, scene = 'scene001'): Y.Map<Y.Map<unknown>> {
  return (root.get('scenes') as Y.Map<Y.Map<unknown>>).get(scene)?.get('elements') as Y.Map<Y.Map<unknown>>
}
