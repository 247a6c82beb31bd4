import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { noteEnds, waitingBytes } from '../../../../test/realtime/slow-readers.ts'
import type { Socket } from '../../../../test/realtime/sockets.ts'
import { documentWith, elementOf, idOf } from '../../../../test/scene-documents.ts'
import { makeOverlay, putScene } from '../../../../test/scene-drafts.ts'
import { elementsIn, SceneEditor, storedScene } from '../../../../test/scene-editing.ts'

/** An editor that reads nothing for a while misses nothing of a scene, and delays no other editor. (RT30) */

let api: Harness
let tournament: MadeTournament
let organiser: Caller
const endOf = noteEnds()
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  tournament = await makeTournament(api, organiser)
})
afterAll(() => api[Symbol.asyncDispose]())

const patient = { timeout: 60_000, interval: 20 }
const elements = 200

/** A document of about 400 KB, in which all texts differ from the version before. */
function version(number: number) {
  const text = String.fromCharCode(97 + number).repeat(1_900)
  const entries = Array.from({ length: elements }, (_, index) => [idOf(index), elementOf({ props: { text } })])
  return documentWith(Object.fromEntries(entries))
}

test('an editor that takes nothing while megabytes are edited has all of it afterwards, in less than was sent', async () => {
  const overlay = await makeOverlay(api, tournament, organiser, { document: version(0) })
  const topic = `/tournaments/${tournament.guid}/overlays/${overlay.guid}/scene`
  const [healthy, slow] = [new SceneEditor(topic), new SceneEditor(topic)]
  await healthy.open(api, await roleHolder(api, tournament, 'role:staff'))
  await slow.open(api, await roleHolder(api, tournament, 'role:hcaster'))
  const { socket } = slow.socket as Socket
  const end = endOf(socket['_socket' as never])
  socket.pause()
  const versions = 20
  // All editors except the slow one receive each version immediately.
  const waiting: number[] = []
  for (let number = 1; number <= versions; number++) {
    expect((await putScene(api, overlay, organiser, version(number))).status).toBe(200)
    // The editor that reads receives each version in the meantime.
    await expect.poll(() => healthy.document, patient).toEqual(version(number))
    waiting.push(await waitingBytes(api))
  }
  const updatesOf = (editor: SceneEditor) =>
    editor.socket?.copies.packets.filter(({ type, topic: of }) => type === 'update' && of === topic).length ?? 0
  expect(updatesOf(healthy)).toBe(versions)
  expect(Math.max(...waiting)).toBeGreaterThan(100_000)
  expect(Math.max(...waiting)).toBeLessThan(2_000_000)
  // The slow editor's own edits are accepted in the meantime.
  slow.edit((root) => elementsIn(root).get(idOf(1))?.set('name', 'By the slow one'))
  await expect.poll(() => healthy.document.scenes.scene001?.elements[idOf(1)]?.name, patient).toBe('By the slow one')
  expect(end.destroyed).toBe(false)
  socket.resume()
  await expect.poll(() => JSON.stringify(slow.document), patient).toBe(JSON.stringify(healthy.document))
  expect(updatesOf(slow)).toBeLessThan(versions)
  expect(await storedScene(api, { ...overlay, topic })).toEqual(slow.document)
  // From then on, the slow editor receives updates as soon as the others.
  healthy.edit((root) => elementsIn(root).get(idOf(2))?.set('name', 'Later'))
  await expect.poll(() => slow.document.scenes.scene001?.elements[idOf(2)]?.name, patient).toBe('Later')
  expect([healthy.refused, slow.refused]).toEqual([[], []])
  await Promise.all([healthy.close(), slow.close()])
})
