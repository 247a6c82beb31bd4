import { channel } from 'node:diagnostics_channel'
import type { Socket as NetSocket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import type { Socket } from '../../../../test/realtime/sockets.ts'
import { documentWith, elementOf, idOf } from '../../../../test/scene-documents.ts'
import { makeOverlay, putScene } from '../../../../test/scene-drafts.ts'
import { elementsIn, SceneEditor, storedScene } from '../../../../test/scene-editing.ts'

/** Whoever takes nothing for a while misses nothing of a scene, and holds up nobody. (RT30) */

let api: Harness
let tournament: MadeTournament
let organiser: Caller
/** The service's ends of all connections to it, by the ports of their peers. */
const ends = new Map<number | undefined, NetSocket>()
const note = (message: unknown) => {
  const { socket } = message as { readonly socket: NetSocket }
  ends.set(socket.remotePort, socket)
}
beforeAll(async () => {
  channel('net.server.socket').subscribe(note)
  api = await startHarness()
  organiser = await api.user()
  tournament = await makeTournament(api, organiser)
})
afterAll(async () => {
  channel('net.server.socket').unsubscribe(note)
  await api[Symbol.asyncDispose]()
})

const patient = { timeout: 60_000, interval: 20 }
const elements = 200

/** Some 400 KB, all of which is another than before. */
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
  const end = ends.get((socket['_socket' as never] as NetSocket).localPort) as NetSocket
  socket.pause()
  const versions = 20
  const waiting: number[] = []
  for (let number = 1; number <= versions; number++) {
    expect((await putScene(api, overlay, organiser, version(number))).status).toBe(200)
    // Those who read are told meanwhile.
    await expect.poll(() => healthy.document, patient).toEqual(version(number))
    waiting.push(await waitingBytes())
  }
  const updatesOf = (editor: SceneEditor) =>
    editor.socket?.copies.packets.filter(({ type, topic: of }) => type === 'update' && of === topic).length ?? 0
  expect(updatesOf(healthy)).toBe(versions)
  expect(Math.max(...waiting)).toBeGreaterThan(100_000)
  expect(Math.max(...waiting)).toBeLessThan(2_000_000)
  // What it does itself meanwhile is taken.
  slow.edit((root) => elementsIn(root).get(idOf(1))?.set('name', 'By the slow one'))
  await expect.poll(() => healthy.document.scenes.scene001?.elements[idOf(1)]?.name, patient).toBe('By the slow one')
  expect(end.destroyed).toBe(false)
  socket.resume()
  await expect.poll(() => JSON.stringify(slow.document), patient).toBe(JSON.stringify(healthy.document))
  expect(updatesOf(slow)).toBeLessThan(versions)
  expect(await storedScene(api, { ...overlay, topic })).toEqual(slow.document)
  // And it is told as soon as everybody from then on.
  healthy.edit((root) => elementsIn(root).get(idOf(2))?.set('name', 'Later'))
  await expect.poll(() => slow.document.scenes.scene001?.elements[idOf(2)]?.name, patient).toBe('Later')
  expect([healthy.refused, slow.refused]).toEqual([[], []])
  await Promise.all([healthy.close(), slow.close()])
})

/** Of all connections; but for the one that takes nothing, they take it at once. */
async function waitingBytes(): Promise<number> {
  const { text } = await api.call('GET', '//metrics')
  return Number(/^realtime_waiting_bytes (\S+)/m.exec(text)?.[1])
}
