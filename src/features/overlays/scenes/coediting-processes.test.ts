import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { makeTournament, roleHolder } from '../../../../test/make.ts'
import { type Gateway, type Gateways, startGateways } from '../../../../test/realtime/gateways.ts'
import { documentWith, elementOf, idOf } from '../../../../test/scene-documents.ts'
import { elementsIn, type MadeScene, makeScene, SceneEditor, storedScene } from '../../../../test/scene-editing.ts'
import { readDocument } from '../sceneDocuments/rules/documents.ts'
import { rootOf } from '../sceneDocuments/rules/shape.ts'

/**
 * Eight editors use three processes, which are killed while they edit: in the end all documents are equal.
 * (overlays 10.1)
 */

let api: Harness
let gateways: Gateways
let scene: MadeScene
let users: readonly Caller[]
const editors = 8
/** An element that only one editor changes: its accepted edits must be in the final document. */
const own = (index: number) => `own${idOf(index)}`

beforeAll(async () => {
  api = await startHarness()
  gateways = await startGateways(api, null)
  const organiser = await api.user()
  const tournament = await makeTournament(api, organiser)
  users = await Promise.all(
    Array.from({ length: editors }, (_, index) =>
      roleHolder(api, tournament, index % 2 === 0 ? 'role:staff' : 'role:hcaster'),
    ),
  )
  const elements = Array.from({ length: editors }, (_, index) => [own(index), elementOf()])
  const base = documentWith({ group001: elementOf({ type: 'group' }), ...Object.fromEntries(elements) })
  scene = await makeScene(api, tournament, base, { by: organiser })
})
afterAll(async () => {
  await gateways?.[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

/** Returns pseudo-random numbers from 0 to 1; the same numbers for the same seed. */
function lots(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000)
const random = lots(seed)
const below = (most: number) => Math.floor(random() * most)

class Player {
  readonly editor: SceneEditor
  readonly #index: number
  #count = 0
  isOpening = false

  constructor(index: number) {
    this.#index = index
    this.editor = new SceneEditor(scene.topic)
    this.editor.markOf = () => Number(elementsIn(rootOf(this.editor.doc)).get(own(index))?.get('x'))
  }

  /** Connects to any process. If it fails, the next step tries again. */
  async open(): Promise<void> {
    if (this.isOpening) return
    this.isOpening = true
    try {
      this.editor.drop()
      const { address } = gateways.all[below(3)] as Gateway
      await this.editor.open({ app: { socketAddress: address } }, users[this.#index] as Caller)
    } catch {
      this.editor.drop()
    } finally {
      this.isOpening = false
    }
  }

  get isOnline(): boolean {
    return this.editor.socket?.socket.readyState === 1
  }

  /** Makes one change in the editor's own element, and one at any place. */
  act(): void {
    const { editor } = this
    if (editor.generation === undefined) return
    const value = ++this.#count
    editor.edit((root) => {
      const elements = elementsIn(root)
      elements.get(own(this.#index))?.set('x', value)
      const others = [...elements.keys()].filter((id) => id.startsWith('e'))
      const id = others[below(Math.max(1, others.length))] ?? idOf(0)
      const action = below(6)
      if (action <= 1) elements.set(idOf(below(200)), new Y.Map(Object.entries(elementOf({ y: value }))))
      else if (action === 2) elements.delete(id)
      else if (action === 3) elements.get(id)?.set('name', `Name ${value}`)
      else if (action === 4) elements.get(id)?.set('parent', random() < 0.7 ? 'group001' : null)
      else elements.get(id)?.set('props', new Y.Map([['size', 10 + below(50)]]))
    })
  }

  /** After a refusal, the editor starts again with the stored document. */
  mend(): void {
    const refused = this.editor.refused.splice(0)
    if (refused.some(({ code }) => code === 'scene.invalid')) this.editor.reset()
    else if (refused.length > 0) this.editor.drop()
  }
}

test('all documents, and the one that is stored, are equal in the end', async () => {
  const players = Array.from({ length: editors }, (_, index) => new Player(index))
  await Promise.all(players.map((player) => player.open()))
  let killedAt = performance.now()
  let [killed, steps] = [0, 0]
  const away = new Map<Player, number>()
  let restarting = Promise.resolve()
  let isRestarting = false
  // Runs until enough has happened, however busy the machine is.
  while (steps < 500 || killed < 2) {
    const player = players[below(editors)] as Player
    player.mend()
    const now = performance.now()
    if (player.isOnline && random() < 0.02) {
      player.editor.drop()
      away.set(player, now + below(600))
    }
    if (!player.isOnline && (away.get(player) ?? 0) < now) void player.open()
    player.act()
    steps++
    if (random() < 0.02) {
      await api.sql('update overlay_drafts set pending_count = 200 where overlay_guid = $1', [scene.guid])
    }
    if (now - killedAt > 1_500 && killed < 3 && !isRestarting) {
      killedAt = now
      killed++
      const gateway = gateways.all[killed % 3] as Gateway
      isRestarting = true
      restarting = gateway
        .kill()
        .then(() => gateway.start())
        .finally(() => {
          isRestarting = false
        })
    }
    await new Promise((resolve) => setTimeout(resolve, below(12)))
  }
  const [before] = await api.sql<{ seq: string }>('select seq from overlay_drafts where overlay_guid = $1', [
    scene.guid,
  ])
  await restarting
  for (const { ready } of gateways.all) await vi.waitUntil(async () => (await ready()) === 200, { timeout: 60_000 })
  const isSettled = async () => {
    for (const player of players) {
      player.mend()
      if (!player.isOnline) await player.open()
    }
    if (players.some(({ isOnline }) => !isOnline)) return false
    await Promise.all(players.map(({ editor }) => editor.settled()))
    const stored = JSON.stringify(sorted(await storedScene(api, scene)))
    return players.every(({ editor }) => JSON.stringify(sorted(editor.document)) === stored)
  }
  await vi.waitUntil(isSettled, { timeout: 60_000, interval: 50 })
  const stored = await storedScene(api, scene)
  expect(readDocument(stored).ok, `seed ${seed}`).toBe(true)
  for (const [index, { editor }] of players.entries()) {
    const x = stored.scenes.scene001?.elements[own(index)]?.x ?? 0
    expect(x, `of ${index}, seed ${seed}`).toBeGreaterThanOrEqual(editor.acceptedMark)
    expect(editor.acceptedMark).toBeGreaterThan(0)
  }
  // Makes sure that the edits took place.
  expect(Number(before?.seq)).toBeGreaterThan(100)
  for (const { editor } of players) await editor.close()
})

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}
