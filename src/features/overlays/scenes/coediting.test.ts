import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { documentWith, elementOf } from '../../../../test/scene-documents.ts'
import { elementsIn, makeScene, SceneEditor, storedScene } from '../../../../test/scene-editing.ts'

/** Scenes that several people edit at once. (OV10, OV11) */

let api: Harness
let tournament: MadeTournament
let organiser: Caller
let staff: Caller
let other: Caller
let caster: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  tournament = await makeTournament(api, organiser)
  staff = await roleHolder(api, tournament, 'role:staff')
  other = await roleHolder(api, tournament, 'role:hcaster')
  caster = await roleHolder(api, tournament, 'role:caster')
})
afterAll(() => api[Symbol.asyncDispose]())

const base = documentWith({ element1: elementOf(), element2: elementOf() })
const soon = { interval: 5, timeout: 5_000 }

test('what somebody does is stored, accepted, and seen by everybody else', async () => {
  const scene = await makeScene(api, tournament, base, { by: organiser })
  const [one, two, reader] = [scene, scene, scene].map(({ topic }) => new SceneEditor(topic)) as [
    SceneEditor,
    SceneEditor,
    SceneEditor,
  ]
  const snapshot = await one.open(api, staff)
  expect(snapshot).toMatchObject({ type: 'snapshot', topic: scene.topic, body: { generation: 1, readOnly: false } })
  expect(snapshot.body.clientId).toBeGreaterThanOrEqual(1_024)
  expect(one.document).toEqual(base)
  await two.open(api, other)
  expect((await reader.open(api, caster)).body).toMatchObject({ readOnly: true, clientId: null })
  one.edit((root) => elementsIn(root).get('element1')?.set('x', 40))
  two.edit((root) => elementsIn(root).delete('element2'))
  await expect.poll(() => one.document, soon).toEqual(documentWith({ element1: elementOf({ x: 40 }) }))
  await expect.poll(() => [two.document, reader.document], soon).toEqual([one.document, one.document])
  expect(await storedScene(api, scene)).toEqual(one.document)
  await one.settled()
  expect([one.refused, two.refused]).toEqual([[], []])
  reader.edit((root) => elementsIn(root).get('element1')?.set('x', 90))
  await expect.poll(() => reader.refused, soon).toMatchObject([{ code: 'scene.read_only', status: 403 }])
  expect(await storedScene(api, scene)).toEqual(one.document)
  await Promise.all([one, two, reader].map((each) => each.close()))
})

test('outsiders and strangers find nothing, and no stream takes the topic', async () => {
  const scene = await makeScene(api, tournament, base, { by: organiser, access: 'public' })
  const outsider = await api.user()
  for (const as of [outsider, null]) {
    await using socket = await openSocket(api, { as })
    expect(await socket.ask({ type: 'subscribe', topic: scene.topic })).toMatchObject({ code: 'topic.unknown' })
    const update = { type: 'update', topic: scene.topic, data: 'AAA=', seq: 1 }
    expect(await socket.ask(update)).toMatchObject({ code: as === null ? 'token.missing' : 'topic.not_subscribed' })
  }
  const reply = await api.get(`/events?wait=0&topic=${scene.topic}`, staff)
  expect([reply.status, reply.headers.get('problem-code')]).toEqual([404, 'topic.unknown'])
})

test('who loses the role follows no longer, and nothing of theirs is stored', async () => {
  const scene = await makeScene(api, tournament, base, { by: organiser })
  const fired = await roleHolder(api, tournament, 'role:staff')
  const editor = new SceneEditor(scene.topic)
  await editor.open(api, fired)
  const revoked = `/tournaments/${tournament.id}/permissions/${fired.guid}/revoke`
  expect((await api.delete(revoked, organiser, { role: 'role:staff' })).status).toBeLessThan(300)
  await editor.socket?.copies.until(({ all }) => all.get(scene.topic)?.ended === 'forbidden', 'the end', 2_000)
  editor.edit((root) => elementsIn(root).get('element1')?.set('x', 90))
  await expect.poll(() => editor.refused, soon).toMatchObject([{ code: 'topic.not_subscribed' }])
  expect(await storedScene(api, scene)).toEqual(base)
  await editor.close()
})
