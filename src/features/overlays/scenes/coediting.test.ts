import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { hold } from '../../../../test/locks.ts'
import { type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { makeMedia, usesOf } from '../../../../test/media-rows.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { documentWith, elementOf } from '../../../../test/scene-documents.ts'
import { elementsIn, makeScene, SceneEditor, storedScene } from '../../../../test/scene-editing.ts'
import { stateOf } from '../sceneDocuments/rules/compaction.ts'
import { rootOf } from '../sceneDocuments/rules/shape.ts'

/** Scenes that several users edit at the same time. (OV10, OV11) */

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
const soon = { interval: 5 }

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

test('a medium that is deleted with its uses goes from the document, and everybody sees it go', async () => {
  const [image, font, kept] = [
    await makeMedia(api, 'overlay_image', { tournament }),
    await makeMedia(api, 'overlay_font', { tournament }),
    await makeMedia(api, 'overlay_image', { tournament }),
  ]
  const shown = documentWith({
    element1: elementOf({ type: 'image', props: { media: image.guid.toUpperCase(), fit: 'cover' } }),
    element2: elementOf({ type: 'stream', props: { side: 1, fallback: image.guid } }),
    element3: elementOf({ type: 'image', props: { media: kept.guid } }),
    element4: elementOf({ props: { text: 'A', font: 'Title' } }),
  })
  const fonts = { title: { family: 'Title', media: font.guid } }
  const scene = await makeScene(api, tournament, documentWith({}), { by: organiser })
  const put = await api.call('PUT', scene.topic, {
    as: organiser,
    headers: { 'if-match': '*' },
    body: { ...shown, fonts },
  })
  expect(outcome(put), put.text).toEqual([200, null])
  const [one, reader] = [new SceneEditor(scene.topic), new SceneEditor(scene.topic)]
  await one.open(api, other)
  await reader.open(api, caster)
  one.edit((root) => elementsIn(root).get('element3')?.set('x', 40))
  await one.settled()
  const usedBy = async (as: Caller) =>
    (await api.get(`/media/${image.guid}/usages`, as)).body.map(({ field, mayDetach }: Record<string, unknown>) => [
      field,
      mayDetach,
    ])
  // An editor of the overlay may remove the medium from the draft. Only those who may also delete the medium can use
  // `detach`.
  expect([await usedBy(other), await usedBy(staff), await usedBy(caster)]).toEqual([
    [['draft', true]],
    [['draft', true]],
    [['draft', false]],
  ])
  const removed = (media: { guid: string }, as: Caller) => api.delete(`/media/${media.guid}?detach=true`, as)
  expect(outcome(await api.delete(`/media/${image.guid}`, staff))).toEqual([409, 'media.in_use'])
  expect(outcome(await removed(image, other))).toEqual([403, 'role.missing'])
  expect(outcome(await removed(image, staff))).toEqual([204, null])
  const without = documentWith({
    element1: elementOf({ type: 'image', props: { fit: 'cover' } }),
    element2: elementOf({ type: 'stream', props: { side: 1 } }),
    element3: elementOf({ type: 'image', props: { media: kept.guid }, x: 40 }),
    element4: elementOf({ props: { text: 'A', font: 'Title' } }),
  })
  await expect.poll(() => one.document, soon).toEqual({ ...without, fonts })
  await expect.poll(() => reader.document, soon).toEqual({ ...without, fonts })
  expect(outcome(await removed(font, organiser))).toEqual([204, null])
  await expect.poll(() => one.document, soon).toEqual({ ...without, fonts: {} })
  one.edit((root) => elementsIn(root).get('element1')?.set('x', 90))
  await one.settled()
  expect(one.refused).toEqual([])
  await expect.poll(() => reader.document, soon).toEqual(one.document)
  expect(await storedScene(api, scene)).toEqual(one.document)
  expect(await usesOf(api, kept)).toEqual({ uses: ['overlay.draft'], state: 'used' })
  const gone = [image, font].map(({ guid }) => api.get(`/media/${guid}`, staff))
  expect((await Promise.all(gone)).map(outcome)).toEqual([404, 404].map((status) => [status, 'media.unknown']))
  await Promise.all([one, reader].map((each) => each.close()))
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
  await editor.socket?.copies.until(({ all }) => all.get(scene.topic)?.ended === 'forbidden', 'the end')
  editor.edit((root) => elementsIn(root).get('element1')?.set('x', 90))
  await expect.poll(() => editor.refused, soon).toMatchObject([{ code: 'topic.not_subscribed' }])
  expect(await storedScene(api, scene)).toEqual(base)
  await editor.close()
})

test('who becomes a reader, or an editor, is told by a snapshot', async () => {
  const named = await roleHolder(api, tournament, 'role:caster')
  const scene = await makeScene(api, tournament, base, { by: organiser })
  const editor = new SceneEditor(scene.topic)
  await editor.open(api, named)
  expect(editor.readOnly).toBe(true)
  const tell = (before: string, after: string) =>
    api.sql(
      `select emit_event('overlay.editors_changed', $1::uuid, $2::uuid, null, $3::jsonb, $4::jsonb, array[$1::text, $2::text], true)`,
      [...[scene.guid, tournament.guid, before, after]],
    )
  await api.sql('insert into overlay_editors (overlay_guid, user_guid) values ($1, $2)', [scene.guid, named.guid])
  await tell('{"editors":[]}', JSON.stringify({ editors: [named.guid] }))
  await expect.poll(() => editor.readOnly, soon).toBe(false)
  editor.edit((root) => elementsIn(root).get('element1')?.set('x', 1))
  await expect.poll(() => editor.accepted, soon).toBeGreaterThan(0)
  await api.sql('delete from overlay_editors where overlay_guid = $1', [scene.guid])
  await tell(JSON.stringify({ editors: [named.guid] }), '{"editors":[]}')
  editor.edit((root) => elementsIn(root).get('element1')?.set('x', 2))
  await expect.poll(() => editor.refused, soon).toMatchObject([{ code: 'scene.read_only' }])
  await expect.poll(() => editor.readOnly, soon).toBe(true)
  expect((await storedScene(api, scene)).scenes.scene001?.elements.element1?.x).toBe(1)
  await api.sql('delete from overlays where guid = $1', [scene.guid])
  await editor.socket?.copies.until(({ all }) => all.get(scene.topic)?.ended === 'gone', 'the end')
  await editor.close()
})

test('what no editor makes is refused, ends the topic of its sender alone, and closes the connection the third time', async () => {
  const scene = await makeScene(api, tournament, base, { by: organiser })
  const [honest, hostile] = [new SceneEditor(scene.topic), new SceneEditor(scene.topic)]
  await honest.open(api, staff)
  await hostile.open(api, other)
  const { socket } = hostile
  if (socket === null) throw new Error('not connected')
  const foreign = new Y.Doc()
  foreign.clientID = honest.clientId as number
  rootOf(foreign).set('variables', new Y.Map([['line', 'x']]))
  const wrong = new Y.Doc()
  Y.applyUpdate(wrong, Y.encodeStateAsUpdate(hostile.doc))
  wrong.clientID = hostile.clientId as number
  elementsIn(rootOf(wrong)).get('element1')?.set('x', 1e9)
  const updates: Uint8Array[] = [
    Y.encodeStateAsUpdate(foreign),
    Y.encodeStateAsUpdate(wrong, Y.encodeStateVector(hostile.doc)),
    new Uint8Array(70_000),
  ]
  const before = honest.socket?.copies.packets.length
  for (const [times, data] of updates.entries()) {
    const update = { type: 'update', topic: scene.topic, data: Buffer.from(data).toString('base64'), seq: times }
    const answer = await socket.ask(update)
    expect(answer).toMatchObject({ type: 'error', code: 'scene.invalid', status: 400 })
    expect(answer.data.faults[0].words).toBeTypeOf('string')
    await socket.copies.until(({ all }) => all.get(scene.topic)?.ended === 'invalid', 'the end')
    if (times === updates.length - 1) break
    // Updates are refused until the client subscribes again.
    expect(await socket.ask({ ...update, data: 'AAA=' })).toMatchObject({ code: 'topic.not_subscribed' })
    await hostile.subscribe()
  }
  expect((await socket.closed).code).toBe(4207)
  expect(honest.socket?.copies.packets.length).toBe(before)
  honest.edit((root) => elementsIn(root).get('element1')?.set('x', 3))
  await expect.poll(() => honest.accepted, soon).toBe(1)
  expect(await storedScene(api, scene)).toEqual(documentWith({ element1: elementOf({ x: 3 }), element2: elementOf() }))
  await honest.close()
})

test('a name that cannot be seen is refused, and one from before stays while everything else is changed', async () => {
  const before = documentWith({ element1: elementOf({ name: 'Two\nlines' }), element2: elementOf() })
  const scene = await makeScene(api, tournament, before, { by: organiser })
  const editor = new SceneEditor(scene.topic)
  await editor.open(api, staff)
  editor.edit((root) => elementsIn(root).get('element1')?.set('x', 3))
  await expect.poll(() => editor.accepted, soon).toBe(1)
  editor.edit((root) => elementsIn(root).get('element2')?.set('name', '\u3164'))
  await expect.poll(() => editor.refused, soon).toHaveLength(1)
  const [fault] = editor.refused[0]?.data.faults ?? []
  expect([editor.refused[0]?.code, fault?.pointer]).toEqual([
    'scene.invalid',
    '/scenes/scene001/elements/element2/name',
  ])
  expect(await storedScene(api, scene)).toEqual(
    documentWith({ element1: elementOf({ name: 'Two\nlines', x: 3 }), element2: elementOf() }),
  )
  await editor.close()
})

test('what was done offline is taken by an id that was lent before, for as long as it is good', async () => {
  const scene = await makeScene(api, tournament, base, { by: organiser })
  const editor = new SceneEditor(scene.topic)
  await editor.open(api, staff)
  const first = editor.clientId
  editor.drop()
  editor.edit((root) => elementsIn(root).get('element1')?.set('x', 7))
  await editor.open(api, staff)
  expect(editor.clientId).not.toBe(first)
  await expect.poll(async () => (await storedScene(api, scene)).scenes.scene001?.elements.element1?.x, soon).toBe(7)
  editor.drop()
  editor.edit((root) => elementsIn(root).get('element1')?.set('x', 8))
  const held = async () => {
    const text = `select from overlay_client_leases where overlay_guid = $1 and expires_at > now() + interval '1439 minutes'`
    return (await api.sql(text, [scene.guid])).length
  }
  await expect.poll(held, soon).toBe(0)
  await api.sql(`update overlay_client_leases set expires_at = now() - interval '1 minute' where overlay_guid = $1`, [
    scene.guid,
  ])
  await editor.open(api, staff)
  await expect.poll(() => editor.refused, soon).toMatchObject([{ code: 'scene.invalid' }])
  expect((await storedScene(api, scene)).scenes.scene001?.elements.element1?.x).toBe(7)
  await editor.close()
})

test('of a user fifty ids are good, of the connections that came last', async () => {
  const scene = await makeScene(api, tournament, base, { by: organiser })
  const editor = new SceneEditor(scene.topic)
  await editor.open(api, staff)
  await api.sql(
    `insert into overlay_client_leases (overlay_guid, generation, client, user_guid, expires_at)
     select $1, 1, 2000 + n, $2, now() + interval '1 hour' + n * interval '1 second' from generate_series(1, 60) n`,
    [scene.guid, staff.guid],
  )
  await editor.subscribe({ replace: true })
  const leases = await api.sql<{ client: string }>('select client from overlay_client_leases where overlay_guid = $1', [
    scene.guid,
  ])
  expect(leases.length).toBe(50)
  expect(leases.map(({ client }) => Number(client))).toContain(editor.clientId)
  expect(leases.map(({ client }) => Number(client))).not.toContain(2_001)
  await editor.close()
})

test('a document that was made anew is begun with anew, and what was not sent does not reach it', async () => {
  const scene = await makeScene(api, tournament, base, { by: organiser })
  const [online, offline] = [new SceneEditor(scene.topic), new SceneEditor(scene.topic)]
  await online.open(api, staff)
  await offline.open(api, other)
  offline.drop()
  offline.edit((root) => elementsIn(root).get('element1')?.set('x', 9))
  const rebuilt = documentWith({ element2: elementOf({ y: 4 }) })
  const state = Buffer.from(stateOf(rebuilt, 5))
  await api.sql(
    `update overlay_drafts set generation = generation + 1, revision = revision + 1, state = $2, state_seq = seq,
       pending_bytes = 0, pending_count = 0 where overlay_guid = $1`,
    [scene.guid, state],
  )
  await api.sql(`select pg_notify('downbeat_scenes', $1)`, [scene.guid])
  await expect.poll(() => [online.generation, online.document], soon).toEqual([2, rebuilt])
  await offline.open(api, other)
  expect([offline.generation, offline.document]).toEqual([2, rebuilt])
  online.edit((root) => elementsIn(root).get('element2')?.set('x', 5))
  await expect.poll(() => offline.document, soon).toEqual(documentWith({ element2: elementOf({ x: 5, y: 4 }) }))
  expect([online.refused, offline.refused]).toEqual([[], []])
  await Promise.all([online.close(), offline.close()])
})

test('a transaction that is lost with its connection is tried again, and nobody is told of it', async () => {
  const scene = await makeScene(api, tournament, base, { by: organiser })
  const [one, two] = [new SceneEditor(scene.topic), new SceneEditor(scene.topic)]
  await one.open(api, staff)
  await two.open(api, other)
  const { waiting, release } = await hold(api, [
    'select from overlay_drafts where overlay_guid = $1 for update',
    scene.guid,
  ])
  one.edit((root) => elementsIn(root).get('element1')?.set('x', 11))
  two.edit((root) => elementsIn(root).get('element1')?.set('y', 12))
  const lost = await waiting(1)
  await api.sql('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [lost])
  await expect.poll(async () => (await waiting(1)).some((pid) => lost.includes(pid)), soon).toBe(false)
  expect([one.accepted, two.accepted, one.document.scenes.scene001?.elements.element1?.y]).toEqual([0, 0, 0])
  await release()
  const both = documentWith({ element1: elementOf({ x: 11, y: 12 }), element2: elementOf() })
  await expect.poll(() => [one.document, two.document], soon).toEqual([both, both])
  expect([one.accepted, two.accepted, one.refused, two.refused]).toEqual([1, 1, [], []])
  expect(await storedScene(api, scene)).toEqual(both)
  await Promise.all([one.close(), two.close()])
})

test('nothing of somebody who loses the role while an update waits is stored, and what waits beside it is', async () => {
  const scene = await makeScene(api, tournament, base, { by: organiser })
  const fired = await roleHolder(api, tournament, 'role:staff')
  const [one, two] = [new SceneEditor(scene.topic), new SceneEditor(scene.topic)]
  await one.open(api, fired)
  await two.open(api, staff)
  const { waiting, release } = await hold(api, [
    'select from overlay_drafts where overlay_guid = $1 for update',
    scene.guid,
  ])
  one.edit((root) => elementsIn(root).get('element1')?.set('x', 66))
  two.edit((root) => elementsIn(root).get('element1')?.set('y', 12))
  await waiting(1)
  const revoked = `/tournaments/${tournament.id}/permissions/${fired.guid}/revoke`
  expect((await api.delete(revoked, organiser, { role: 'role:staff' })).status).toBeLessThan(300)
  await release()
  await expect.poll(() => two.accepted, soon).toBe(1)
  await expect.poll(() => one.refused, soon).toMatchObject([{ code: 'topic.not_subscribed' }])
  expect(await storedScene(api, scene)).toEqual(documentWith({ element1: elementOf({ y: 12 }), element2: elementOf() }))
  await Promise.all([one.close(), two.close()])
})
