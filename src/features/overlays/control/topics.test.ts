import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { type ShownOverlay, showOverlay } from '../../../../test/overlay-rows.ts'
import type { Packet } from '../../../../test/realtime/copies.ts'
import { openSocket, type Socket } from '../../../../test/realtime/sockets.ts'
import { until } from '../../../../test/waiting.ts'
import { type Actor, anonymous } from '../../../core/actor.ts'
import { controlTopics } from './routes/topics.ts'

/** Topics of overlays whose values are not stored. (RT20, RT21, RT22; overlays: Data tree) */

let api: Harness
let second: Harness
let made: MadeBracket
let referee: Caller
let editor: Caller
let overlay: ShownOverlay
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
  made = await makeBracket(api, { teams: 8, format: 'single_elimination' })
  referee = await roleHolder(api, made.cup, 'role:referee')
  editor = await api.user()
  overlay = await showOverlay(api, made.cup, made.organiser, { editors: [editor] })
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const pathOf = (of: Pick<MadeBracket, 'cup'>, { guid }: { guid: string }) =>
  `/tournaments/${of.cup.guid}/overlays/${guid}`

function statesOf({ copies }: Socket, topic: string): Packet[] {
  return copies.packets.filter((packet) => packet.type === 'state' && packet.topic === topic)
}

// biome-ignore lint/suspicious/noExplicitAny: values of every form.
function held(socket: Socket, topic: string): Record<string, any> {
  let states: Record<string, unknown> = {}
  for (const packet of statesOf(socket, topic)) {
    states = packet.full ? { ...packet.states } : { ...states, ...packet.states }
    for (const key of packet.gone) delete states[key]
  }
  return states
}

/** Reports by hand the score of the first player in a match. */
async function reportScore(of: MadeBracket, number: number, score: number): Promise<string> {
  const { sides } = await of.readMatch(number)
  const index = of.teams.findIndex(({ guid }) => guid === sides[0].team.guid)
  const player = of.captains[index]?.guid ?? ''
  const coordinator = of === made ? referee : of.organiser
  expect((await second.put(`${of.match(number)}/live/${player}`, coordinator, { score })).status).toBe(204)
  return `player:${player}`
}

/**
 * Points the overlay and sets its name, in one transaction: the name in the record shows when subscribers learn of the
 * pointing.
 */
async function point(of: MadeBracket, { guid }: ShownOverlay, match: string | null, name: string): Promise<void> {
  await api.sql(
    `with named as (update overlays set name = $3 where guid = $1),
       pointed as (update overlay_controls set match_guid = $2, pointed_seq = 0 where overlay_guid = $1)
     select emit_event('overlay.pointed', $1::uuid, $4::uuid, null, null, $5::jsonb, array[$1::text, $4::text], false)`,
    [guid, match, name, of.cup.guid, JSON.stringify({ match })],
  )
}

test('the live values of an overlay are those of the match that it points at, and of the next one once its record says so', async () => {
  const shown = await showOverlay(api, made.cup, made.organiser, { access: 'public' })
  const numbers = [1, 2, 3]
  const matches = await Promise.all(numbers.map(async (number) => (await made.readMatch(number)).guid as string))
  const players = await Promise.all(numbers.map((number) => reportScore(made, number, number)))
  const keep = setInterval(() => void Promise.all(numbers.map((number) => reportScore(made, number, number))), 5_000)
  try {
    const path = pathOf(made, shown)
    const topic = `${path}/live`
    await using viewer = await openSocket(api)
    await viewer.ask({ type: 'subscribe', topic: path })
    expect(await viewer.ask({ type: 'subscribe', topic, rate: 10 })).toMatchObject({ states: {}, full: true })
    await point(made, shown, matches[0] ?? null, 'At 1')
    await until(() => held(viewer, topic)[players[0] ?? '']?.score === 1)
    expect(statesOf(viewer, topic).at(-1)).toMatchObject({ full: true })
    // A later subscriber on any process gets the same state immediately, and all later values.
    await using other = await openSocket(second)
    const named = `/tournaments/${made.cup.id}/overlays/${shown.guid.toUpperCase()}/live`
    const first = await other.ask({ type: 'subscribe', topic: named })
    expect(first.states).toEqual({ [players[0] ?? '']: expect.objectContaining({ score: 1, source: 'manual' }) })
    await reportScore(made, 1, 100)
    await until(() => held(viewer, topic)[players[0] ?? '']?.score === 100)
    await until(() => held(other, first.topic)[players[0] ?? '']?.score === 100)
    // Even when the overlay is pointed quickly, values of a match never arrive before the record that names the match.
    const order = [1, 2, 0, 2, 1, 0, 1, 2, 1, 2]
    for (const [turn, index] of order.entries()) {
      await point(made, shown, matches[index] ?? null, `At ${index + 1}`)
      await new Promise((resolve) => setTimeout(resolve, 30 * (turn % 5)))
    }
    await until(() => held(viewer, topic)[players[2] ?? '']?.score === 3)
    expect(Object.keys(held(viewer, topic))).toEqual([players[2]])
    let name = ''
    for (const packet of viewer.copies.packets) {
      const renamed = packet.patch?.find((part: Packet) => part.path === '/name')?.value
      if (packet.topic === path) name = packet.body?.name ?? renamed ?? name
      if (packet.topic !== topic) continue
      for (const player of Object.keys(packet.states)) expect(name).toBe(`At ${players.indexOf(player) + 1}`)
    }
    await until(() => Object.keys(held(other, first.topic)).join() === players[2])
    await reportScore(made, 1, 111)
    await reportScore(made, 3, 300)
    await until(() => held(other, first.topic)[players[2] ?? '']?.score === 300)
    expect(Object.keys(held(viewer, topic))).toEqual([players[2]])
    await point(made, shown, null, 'Nowhere')
    for (const [socket, followed] of [
      [viewer, topic],
      [other, first.topic],
    ] as const) {
      await until(() => Object.keys(held(socket, followed)).length === 0)
      expect(statesOf(socket, followed).at(-1)).toMatchObject({ states: {}, full: true })
    }
    expect(await viewer.ask({ type: 'unsubscribe', topic })).toMatchObject({ reason: 'unsubscribed' })
  } finally {
    clearInterval(keep)
  }
})

test('with its match, the values of an overlay are gone; nobody writes them there', async () => {
  const of = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { guid } = await of.readMatch(1)
  const shown = await showOverlay(api, of.cup, of.organiser, { access: 'public', match: guid })
  const topic = `${pathOf(of, shown)}/live`
  const key = await reportScore(of, 1, 7)
  await using viewer = await openSocket(api, { as: of.organiser })
  expect((await viewer.ask({ type: 'subscribe', topic })).states[key]).toMatchObject({ score: 7 })
  viewer.send({ type: 'publish', topic, key, value: { score: 8 }, seq: 1 })
  await viewer.copies.until(({ packets }) => packets.some(({ type }) => type === 'error'), 'the refusal')
  expect(viewer.copies.packets.find(({ type }) => type === 'error')).toMatchObject({ code: 'role.missing' })
  const { revision } = await of.read()
  const deleted = await api.delete(`${of.path}/brackets/${of.bracket.guid}`, of.organiser, { revision })
  expect(deleted.status, deleted.text).toBe(204)
  await until(() => statesOf(viewer, topic).at(-1)?.full === true && Object.keys(held(viewer, topic)).length === 0)
})

test('as late as the stream, and for staff alone where the tournament says so', async () => {
  const of = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { guid } = await of.readMatch(1)
  const shown = await showOverlay(api, of.cup, of.organiser, { access: 'public', match: guid })
  const topic = `${pathOf(of, shown)}/live`
  expect((await api.patch(of.path, of.organiser, { streamDelaySeconds: 2 })).status).toBe(200)
  await using viewer = await openSocket(api)
  await using late = await openSocket(api)
  await viewer.ask({ type: 'subscribe', topic })
  expect(await late.ask({ type: 'subscribe', topic, delayed: true })).toMatchObject({ states: {}, full: true })
  const key = await reportScore(of, 1, 7)
  await until(() => held(viewer, topic)[key]?.score === 7)
  const lateTopic = late.copies.packets.at(-1).topic
  expect(held(late, lateTopic)).toEqual({})
  await until(() => held(late, lateTopic)[key]?.score === 7)
  await using staff = await openSocket(api, { as: of.organiser })
  await staff.ask({ type: 'subscribe', topic })
  expect((await api.patch(of.path, of.organiser, { liveScores: 'staff' })).status).toBe(200)
  await until(() => viewer.copies.packets.some(({ type }) => type === 'ended'))
  expect(viewer.copies.packets.find(({ type }) => type === 'ended')).toMatchObject({ topic, reason: 'forbidden' })
  expect(await viewer.ask({ type: 'subscribe', topic })).toMatchObject({ code: 'topic.unknown' })
  await reportScore(of, 1, 9)
  await until(() => held(staff, topic)[key]?.score === 9)
})

test('editors see what other editors drag, and where they are, under the names that the service gives them', async () => {
  const path = pathOf(made, overlay)
  const [drag, presence] = [`${path}/preview`, `${path}/scene/presence`]
  await using one = await openSocket(api, { as: editor })
  await using other = await openSocket(second, { as: made.organiser })
  await using caster = await openSocket(api, { as: await roleHolder(api, made.cup, 'role:caster') })
  for (const topic of [drag, presence]) {
    expect(await other.ask({ type: 'subscribe', topic })).toMatchObject({ states: {} })
    expect(await caster.ask({ type: 'subscribe', topic })).toMatchObject({ code: 'topic.unknown' })
  }
  const send = (topic: string, value: object, seq: number, key = 'connection') =>
    one.send({ type: 'publish', topic, key, value, seq })
  const geometry = { x: 10.5, y: -4, width: 100, height: 50 }
  send(drag, { scene: 'scene00start', element: 'e000000001', geometry, user: 'somebody' }, 1)
  send(presence, { scene: 'scene00start', selection: ['e000000001'], cursor: { x: 1, y: 2 } }, 1)
  await until(() => Object.keys({ ...held(other, drag), ...held(other, presence) }).length === 1)
  await until(() => Object.keys(held(other, presence)).length === 1 && Object.keys(held(other, drag)).length === 1)
  const [[connection, dragged] = []] = Object.entries(held(other, drag))
  expect(dragged).toEqual({
    scene: 'scene00start',
    element: 'e000000001',
    geometry: { ...geometry, rotation: null },
    user: editor.guid,
    connection,
  })
  expect(held(other, presence)).toEqual({
    [connection ?? '']: {
      scene: 'scene00start',
      selection: ['e000000001'],
      cursor: { x: 1, y: 2 },
      user: editor.guid,
      connection,
    },
  })
  const refusals = () => one.copies.packets.filter(({ type }) => type === 'error').map(({ code }) => code)
  send(presence, { selection: Array.from({ length: 51 }, () => 'e000000001') }, 2)
  send(presence, { selection: ['no id'] }, 3)
  send(drag, { element: 'e000000001', geometry: { x: 1e9 } }, 4)
  send(drag, { element: 'e000000001' }, 5, 'somebody')
  await until(() => refusals().length === 4)
  expect(refusals()).toEqual(['value.invalid', 'value.invalid', 'value.invalid', 'key.invalid'])
  await one.close()
  await until(() => Object.keys({ ...held(other, drag), ...held(other, presence) }).length === 0)
})

test('controllers see what one of them is about to take on air', async () => {
  const topic = `${pathOf(made, overlay)}/control/preview`
  await using one = await openSocket(api, { as: referee })
  await using other = await openSocket(second, { as: editor })
  await using pooler = await openSocket(api, { as: await roleHolder(api, made.cup, 'role:pooler') })
  await using stranger = await openSocket(api)
  await other.ask({ type: 'subscribe', topic })
  for (const socket of [pooler, stranger]) {
    expect(await socket.ask({ type: 'subscribe', topic })).toMatchObject({ code: 'topic.unknown' })
  }
  const { guid } = await made.readMatch(1)
  one.send({ type: 'publish', topic, key: 'next', value: { scene: 'scene00start', match: guid }, seq: 1 })
  await until(() => held(other, topic).next !== undefined)
  expect(held(other, topic)).toEqual({
    next: { scene: 'scene00start', match: guid, user: referee.guid, at: expect.any(String) },
  })
  pooler.send({ type: 'publish', topic, key: 'next', value: { scene: 'scene00start' }, seq: 1 })
  await pooler.copies.until(({ packets }) => packets.filter(({ type }) => type === 'error').length === 2, 'the refusal')
  expect(held(other, topic).next.match).toBe(guid)
})

test('a view token follows the live values of its overlay, with `preview` what is about to be shown, and nothing of its making', () => {
  const guid = '5b0d4f0e-0000-4000-8000-000000000001'
  const viewOf = (overlayGuid: string, preview: boolean): Actor => {
    return { ...anonymous, view: { overlayGuid, tournamentGuid: guid, tokenGuid: guid, preview } }
  }
  const records = { tournament: { liveScores: 'staff' }, overlay: { guid, access: 'token', editors: [] } } as never
  const mayFollow = (actor: Actor) =>
    controlTopics.filter(({ reads }) => reads?.allows(actor, records)).map(({ path }) => path.split(':overlay')[1])
  expect(mayFollow(viewOf(guid, false))).toEqual(['/live'])
  expect(mayFollow(viewOf(guid, true))).toEqual(['/live', '/control/preview'])
  expect(mayFollow(viewOf('5b0d4f0e-0000-4000-8000-000000000002', true))).toEqual([])
  expect(mayFollow(anonymous)).toEqual([])
  const keys = controlTopics.flatMap((topic) => topic.keys)
  expect(keys.map((key) => key.writes(viewOf(guid, true), records, null))).toEqual(keys.map(() => null))
})

test('a page with a token sees the values of the match where only staff do otherwise, and loses them with the token', async () => {
  const of = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { guid } = await of.readMatch(1)
  const [shown, other] = await Promise.all([1, 2].map(() => showOverlay(api, of.cup, of.organiser, { match: guid })))
  if (shown === undefined || other === undefined) throw new Error('two were made')
  expect((await api.patch(of.path, of.organiser, { liveScores: 'staff' })).status).toBe(200)
  const path = pathOf(of, shown)
  const tokenOf = async (preview: boolean) =>
    (await api.post(`${path}/tokens`, of.organiser, { label: 'OBS', preview })).body as { guid: string; token: string }
  const [plain, previewing] = [await tokenOf(false), await tokenOf(true)]
  const open = ({ token }: { token: string }) => openSocket(api, { headers: { authorization: `Bearer ${token}` } })
  await using page = await open(plain)
  await using cockpit = await open(previewing)
  const topic = `${path}/live`
  for (const socket of [page, cockpit]) {
    expect(await socket.ask({ type: 'subscribe', topic })).toMatchObject({ states: {}, full: true })
    for (const hidden of [
      `${path}/preview`,
      `${path}/scene/presence`,
      `${pathOf(of, other)}/live`,
      `${of.match(1)}/live`,
    ]) {
      expect(await socket.ask({ type: 'subscribe', topic: hidden })).toMatchObject({ code: 'topic.unknown' })
    }
  }
  const next = `${path}/control/preview`
  expect(await page.ask({ type: 'subscribe', topic: next })).toMatchObject({ code: 'topic.unknown' })
  expect(await cockpit.ask({ type: 'subscribe', topic: next })).toMatchObject({ states: {} })
  const key = await reportScore(of, 1, 5)
  await until(() => held(page, topic)[key]?.score === 5 && held(cockpit, topic)[key]?.score === 5)
  expect((await api.delete(`${path}/tokens/${plain.guid}`, of.organiser)).status).toBe(204)
  expect((await page.closed).code).toBe(4103)
  await reportScore(of, 1, 6)
  await until(() => held(cockpit, topic)[key]?.score === 6)
})
