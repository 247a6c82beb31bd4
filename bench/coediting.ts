import { setTimeout as wait } from 'node:timers/promises'
import * as Y from 'yjs'
import { documentOf, rootOf } from '../src/features/overlays/sceneDocuments/rules/shape.ts'
import { documentWith, elementOf, idOf } from '../test/scene-documents.ts'
import { percentile } from './load.ts'
import { openLight } from './realtime/sockets.ts'
import { below, type Row } from './report.ts'
import type { Service } from './service.ts'
import { makePlayer, makeTournaments } from './world.ts'

const editors = 20
const updatesPerSecond = 10
const elements = 500
const seconds = 20
/** A run that sends more slowly than this share of the rate proves nothing. */
const minRate = 0.9
const remote = 'remote'

/**
 * Editors of one document at three processes: how soon an edit is stored, and shown to all others. (overlays: Numbers)
 */
export async function coediting(service: Service): Promise<Row[]> {
  const { runtime, url } = service
  const others = [await service.startBeside(), await service.startBeside()]
  const all = [service.process, ...others]
  const scene = await makeScene(service)
  // Waits until each process gets the changes of the others.
  await wait(3_000)
  const sentAt = new Map<string, number>()
  const since = (edit: string) => performance.now() - (sentAt.get(edit) ?? Number.NaN)
  const [stored, seen]: [number[], number[]] = [[], []]
  const told: Told = {
    sent: (edit) => sentAt.set(edit, performance.now()),
    stored: (edit) => stored.push(since(edit)),
    seen: (edit) => seen.push(since(edit)),
  }
  const open = await Promise.all(
    scene.editors.map(({ token }, index) => {
      const port = all[index % all.length]?.socketPort ?? 0
      return openEditor({ port, token, topic: scene.topic, index }, told)
    }),
  )
  await wait(1_000)
  const began = performance.now()
  for (let tick = 0; tick < seconds * updatesPerSecond; tick++) {
    for (const [index, editor] of open.entries()) {
      // The editors do not send at the same moment.
      const at = began + ((tick + index / editors) * 1_000) / updatesPerSecond
      if (at > performance.now()) await wait(at - performance.now())
      editor.edit()
    }
  }
  const rate = sentAt.size / ((performance.now() - began) / 1_000)
  await wait(3_000)
  for (const editor of open) editor.close()
  if (rate < minRate * editors * updatesPerSecond) throw new Error(`${rate.toFixed(0)} updates a second were sent`)
  if (stored.length !== sentAt.size) throw new Error(`of ${sentAt.size} edits ${stored.length} were stored`)
  const copies = new Set(open.map((editor) => editor.copy()))
  if (copies.size > 1) throw new Error('in the end not all have the same')
  const { state, json } = await sizeOf(runtime.database.pool, scene.guid)
  for (const other of others) await other.stop()
  const work = `${editors} editors at three processes, ${updatesPerSecond} edits/s each of ${elements} elements`
  const figures = (delays: readonly number[]) =>
    `${delays.length}, ${rate.toFixed(0)} edits/s; half within ${percentile(delays, 0.5).toFixed(0)} ms`
  return [
    below(`${work}: stored, 95 of 100`, '', percentile(stored, 0.95), 250, ' ms', figures(stored)),
    below(`${work}: seen by all others, 95 of 100`, '', percentile(seen, 0.95), 250, ' ms', figures(seen)),
    below(
      `${work}: what is stored in the end`,
      'the document as JSON',
      state / json,
      4,
      '',
      `${state} bytes against ${json}`,
    ),
  ]

  async function makeScene({ runtime: { database } }: Pick<Service, 'runtime'>) {
    const organiser = await makePlayer(runtime)
    const [tournament] = await makeTournaments(runtime, organiser.guid, 1)
    const path = `${url}/api/tournaments/${tournament}/overlays`
    const { guid } = await call('POST', path, organiser.token, { name: 'Measured' })
    const entries = Array.from({ length: elements }, (_, index) => [idOf(index), elementOf()])
    await call('PUT', `${path}/${guid}/scene`, organiser.token, documentWith(Object.fromEntries(entries)))
    const players = await Promise.all(Array.from({ length: editors }, () => makePlayer(runtime)))
    await database.pool.query('insert into overlay_editors (overlay_guid, user_guid) select $1, unnest($2::uuid[])', [
      guid,
      players.map((player) => player.guid),
    ])
    return { guid: guid as string, topic: `/tournaments/${tournament}/overlays/${guid}/scene`, editors: players }
  }
}

interface Told {
  readonly sent: (edit: string) => void
  readonly stored: (edit: string) => void
  readonly seen: (edit: string) => void
}

interface Editor {
  readonly port: number
  readonly token: string
  readonly topic: string
  readonly index: number
}

/** An editor as a page has it: it applies all updates to its own document. Each edit is a unique name. */
async function openEditor({ port, token, topic, index }: Editor, told: Told) {
  const doc = new Y.Doc()
  const begun = Promise.withResolvers<void>()
  const unanswered = new Map<number, string>()
  const take = (update: string) => Y.applyUpdate(doc, Buffer.from(update, 'base64'), remote)
  const socket = await openLight({
    port,
    token,
    onMessage(text) {
      const packet = JSON.parse(text)
      if (packet.type === 'update') take(packet.data)
      else if (packet.type === 'accepted') told.stored(unanswered.get(packet.seq) ?? '')
      else if (packet.type === 'snapshot') {
        take(packet.body.update)
        doc.clientID = packet.body.clientId
        begun.resolve()
      } else if (packet.type === 'error' || packet.type === 'ended') begun.reject(new Error(text))
    },
  })
  socket.send({ type: 'subscribe', topic })
  await begun.promise
  const scenes = rootOf(doc).get('scenes') as Y.Map<Y.Map<Y.Map<Y.Map<unknown>>>>
  const drawn = scenes.get('scene001')?.get('elements') as Y.Map<Y.Map<unknown>>
  drawn.observeDeep((events, { origin }) => {
    if (origin !== remote) return
    for (const { target } of events) told.seen(String((target as Y.Map<unknown>).get('name')))
  })
  let seq = 0
  doc.on('update', (update: Uint8Array, origin: unknown) => {
    if (origin === remote) return
    socket.send({ type: 'update', topic, data: Buffer.from(update).toString('base64'), seq })
  })
  return {
    /** Changes its own elements one after another. */
    edit() {
      const element = index + editors * (Math.floor(seq / 50) % Math.floor(elements / editors))
      const edit = `${index} ${++seq}`
      unanswered.set(seq, edit)
      told.sent(edit)
      drawn.get(idOf(element))?.set('name', edit)
    },
    copy: () => JSON.stringify(documentOf(doc)),
    close: () => socket.close(),
  }
}

/** The size of the document, with its pending updates. */
async function sizeOf(pool: Service['runtime']['database']['pool'], guid: string) {
  const { rows } = await pool.query<{ state: number; json: number }>(
    `select octet_length(state) + pending_bytes as state, json_bytes as json from overlay_drafts where overlay_guid = $1`,
    [guid],
  )
  const [row] = rows
  if (row === undefined) throw new Error('what was edited is gone')
  return row
}

async function call(method: string, address: string, token: string, body: object) {
  const response = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'if-match': '*' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${address} was answered ${response.status}: ${text}`)
  return text === '' ? null : JSON.parse(text)
}
