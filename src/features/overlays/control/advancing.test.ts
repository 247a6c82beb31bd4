import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeBracket } from '../../../../test/bracket-play.ts'
import { caughtUp } from '../../../../test/event-log.ts'
import { makeFlow, toTheEnd } from '../../../../test/flow-free.ts'
import { FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../../../test/flow-play.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { type ShownOverlay, sceneDocumentOf, showOverlay } from '../../../../test/overlay-rows.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { emit } from '../../../infra/events/emit.ts'
import { sceneFollower } from './followers.ts'

/** Scenes that follow the match automatically, on two processes. (OV14; overlays: What proves it, 8) */

let api: Harness
let second: Harness
let made: MadeFlowPlay
let flow: string
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
  made = await makeFlowPlay(api, { teams: 16, bestOf: 3, maps: 9 })
  flow = await makeFlow(api, made, { ...toTheEnd, bestOf: 3, rules: { replays: { rule: 'none' } } })
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

/** The second scene of each role has a later order; the IDs do not follow the order. */
const document = sceneDocumentOf({
  scene0start: 'start',
  scene9picks: 'pickBan',
  scene8songs: 'gameplay',
  scene7after: 'summary',
  scene1picks: 'pickBan',
  scene1after: 'summary',
})
const shortMs = 300
const longMs = 30_000

const show = (wish: Parameters<typeof showOverlay>[3]) =>
  showOverlay(api, made.cup, made.organiser, { document, autoDelayMs: longMs, ...wish })

const matchGuid = async (number: number): Promise<string> => (await made.readMatch(number)).guid
const settled = () => caughtUp(api, sceneFollower)
const sceneOf = async (overlay: ShownOverlay) => {
  await settled()
  return (await overlay.control()).scene
}
const comesTo = (overlay: ShownOverlay, scene: string) =>
  vi.waitUntil(async () => (await overlay.control()).scene === scene, { timeout: 60_000, interval: 20 })

/** Emits the event that the assistant's connector emits. */
async function startSong(match: string): Promise<void> {
  await api.app.database.transaction(async (tx) =>
    emit(tx, {
      type: 'assistant.song_started',
      subject: match,
      tournament: made.cup.guid,
      actor: null,
      after: { match, play: match, hash: 'a'.repeat(40), difficulty: 'ExpertPlus' },
    }),
  )
}

const emittedFor = (overlay: ShownOverlay) =>
  api.sql<{ actor: string | null; before: { scene: string }; after: { scene: string } }>(
    "select actor, before, after from event_log where subject = $1 and type = 'overlay.control_changed' order by seq",
    [overlay.guid],
  )

async function begin(number: number): Promise<FlowPlay> {
  const play = new FlowPlay(api, made, number)
  expect((await play.begin({ flowGuid: flow, poolGuid: made.pool.guid })).status).toBe(201)
  return play
}

const start = (number: number) => api.post(`${made.match(number)}/start`, made.organiser)
const report = (number: number, game: number, scores: readonly [number, number]) =>
  api.put(`${made.match(number)}/games/${game}`, made.organiser, { sides: scores.map((score) => ({ score })) })

test('a match from its begin to its end, with no hand on the scenes', async () => {
  const match = await matchGuid(1)
  const shown = await show({ match, autoDelayMs: shortMs })
  const byHand = await show({ match, autoAdvance: false })
  const elsewhere = await show({ match: await matchGuid(2) })
  const unpublished = await show({ match, document: null })
  const play = await begin(1)
  expect(await sceneOf(shown)).toBe('scene9picks')
  await startSong(match)
  expect(await sceneOf(shown)).toBe('scene8songs')
  expect((await play.scores(9_000, 8_000)).status).toBe(200)
  await comesTo(shown, 'scene9picks')
  await startSong(match)
  expect(await sceneOf(shown)).toBe('scene8songs')
  expect((await play.scores(9_000, 8_000)).status).toBe(200)
  expect((await play.match()).status).toBe('completed')
  expect(await sceneOf(shown)).toBe('scene7after')
  const control = await shown.control()
  expect(control).toMatchObject({ revision: 6, updatedBy: null, next: null })
  const steps = await emittedFor(shown)
  expect(steps.map(({ actor }) => actor)).toEqual(steps.map(() => null))
  expect(steps.map(({ before, after }) => [before.scene, after.scene])).toEqual([
    ['scene0start', 'scene9picks'],
    ['scene9picks', 'scene8songs'],
    ['scene8songs', 'scene7after'],
    ['scene7after', 'scene9picks'],
    ['scene9picks', 'scene8songs'],
    ['scene8songs', 'scene7after'],
  ])
  for (const other of [byHand, elsewhere, unpublished]) {
    expect(await other.control()).toMatchObject({ scene: null, revision: 0, next: null })
    expect(await emittedFor(other)).toEqual([])
  }
})

test('without a session, and with scenes of some roles alone', async () => {
  const match = await matchGuid(2)
  const songs = { scene0start: 'start', scene8songs: 'gameplay' } as const
  const all = await show({ match })
  const noSummary = await show({
    match,
    autoDelayMs: 0,
    document: sceneDocumentOf({ ...songs, scene9picks: 'pickBan' }),
  })
  const noPicks = await show({ match, autoDelayMs: 0, document: sceneDocumentOf({ ...songs, scene7after: 'summary' }) })
  expect((await start(2)).status).toBe(200)
  // Without a session there are no picks, so no scene is chosen.
  expect([await sceneOf(all), await sceneOf(noSummary)]).toEqual([null, null])
  await startSong(match)
  for (const overlay of [all, noSummary, noPicks]) expect(await sceneOf(overlay)).toBe('scene8songs')
  expect((await report(2, 1, [2, 1])).status).toBe(200)
  await comesTo(noSummary, 'scene9picks')
  expect([await sceneOf(all), await sceneOf(noPicks)]).toEqual(['scene7after', 'scene7after'])
  expect([(await all.control()).next, (await noPicks.control()).next]).toEqual(['scene9picks', null])
  // A correction of a result is not a new result.
  await startSong(match)
  const { revision } = await made.readMatch(2)
  const again = { sides: [{ score: 3 }, { score: 1 }], revision }
  expect((await api.put(`${made.match(2)}/games/1`, made.organiser, again)).status).toBe(200)
  expect(await sceneOf(all)).toBe('scene8songs')
  expect((await all.control()).next).toBeNull()
  const ended = await api.put(`${made.match(2)}/result`, made.organiser, { outcome: 'walkover', winner: 1 })
  expect(ended.status).toBe(200)
  expect(await sceneOf(all)).toBe('scene7after')
  expect(await sceneOf(noSummary)).toBe('scene8songs')
})

test('whoever chooses a scene within the delay, or points elsewhere, has the last word', async () => {
  const [match, other] = [await matchGuid(3), await matchGuid(4)]
  const [kept, chosen, pointed, stopped] = await Promise.all(Array.from({ length: 4 }, () => show({ match })))
  if (kept === undefined || chosen === undefined || pointed === undefined || stopped === undefined) throw new Error()
  await start(3)
  await report(3, 1, [2, 1])
  for (const overlay of [kept, chosen, pointed, stopped]) expect(await sceneOf(overlay)).toBe('scene7after')
  await chosen.take('scene0start')
  await pointed.point(other)
  await api.sql('update overlay_controls set auto_advance = false where overlay_guid = $1', [stopped.guid])
  await api.sql('update overlay_controls set advance_at = now() where match_guid = $1 and advance_at is not null', [
    match,
  ])
  await comesTo(kept, 'scene9picks')
  await vi.waitUntil(async () => (await stopped.control()).next === null, { timeout: 60_000, interval: 20 })
  expect((await chosen.control()).scene).toBe('scene0start')
  expect((await pointed.control()).scene).toBe('scene7after')
  expect((await stopped.control()).scene).toBe('scene7after')
  // Later events are followed again.
  await startSong(match)
  expect(await sceneOf(chosen)).toBe('scene8songs')
  expect(await sceneOf(pointed)).toBe('scene7after')
  await startSong(other)
  expect(await sceneOf(pointed)).toBe('scene8songs')
})

test('what happened before an overlay was pointed, or a scene was chosen, moves nothing', async () => {
  const match = await matchGuid(5)
  const [late, chosen, early] = await Promise.all([show({}), show({ match }), show({ match })])
  const together = await show({ match })
  const { database } = api.app
  // Locks the follower's row, so that it processes no events until the commit.
  await database.transaction(async (tx) => {
    await tx.session.client.query("select from followers where name = 'overlay_scenes' for update")
    await begin(5)
    await startSong(match)
    await late.point(match)
    await chosen.take('scene0start')
    // Simulates a user who chose the scene without knowing of the song, whose event comes first in the log.
    await together.take('scene0start')
    await api.sql('update overlay_controls set scene_seq = 0 where overlay_guid = $1', [together.guid])
  })
  expect(await sceneOf(early)).toBe('scene8songs')
  expect(await sceneOf(late)).toBeNull()
  expect(await sceneOf(chosen)).toBe('scene0start')
  expect(await sceneOf(together)).toBe('scene0start')
  await startSong(match)
  for (const overlay of [late, chosen, together]) expect(await sceneOf(overlay)).toBe('scene8songs')
})

test('two processes: of many matches each step is done once', async () => {
  const cup = await makeBracket(second, { teams: 8, format: 'round_robin', settings: { bestOf: 5 } })
  const numbers = Array.from({ length: 20 }, (_, index) => index + 1)
  const overlays = await Promise.all(
    numbers.map(async (number) => {
      const { guid } = await cup.readMatch(number)
      const wish = { match: guid, document, autoDelayMs: shortMs }
      return Promise.all([
        showOverlay(api, cup.cup, cup.organiser, wish),
        showOverlay(api, cup.cup, cup.organiser, wish),
      ])
    }),
  )
  await Promise.all(
    numbers.map(async (number) => {
      const service = number % 2 === 0 ? api : second
      const put = (index: number) =>
        service.put(`${cup.match(number)}/games/${index}`, cup.organiser, { sides: [{ score: 2 }, { score: 1 }] })
      expect((await service.post(`${cup.match(number)}/start`, cup.organiser)).status).toBe(200)
      expect((await put(1)).status).toBe(200)
    }),
  )
  const all = overlays.flat()
  await Promise.all(all.map((overlay) => comesTo(overlay, 'scene9picks')))
  await settled()
  for (const overlay of all) {
    expect((await emittedFor(overlay)).map(({ after }) => after.scene)).toEqual(['scene7after', 'scene9picks'])
    expect(await overlay.control()).toMatchObject({ revision: 2, next: null })
  }
})

test('a change by hand through the API while a scene waits has the last word', async () => {
  const of = await makeBracket(api, { teams: 4, format: 'single_elimination', settings: { bestOf: 5 } })
  const document = sceneDocumentOf({ scene0start: 'start', scene9picks: 'pickBan', scene7after: 'summary' })
  const shown = await showOverlay(api, of.cup, of.organiser, { document, autoDelayMs: 1_000, access: 'public' })
  const path = `/tournaments/${of.cup.guid}/overlays/${shown.guid}`
  await using socket = await openSocket(api)
  await socket.ask({ type: 'subscribe', topic: `${path}/control` })
  await socket.ask({ type: 'subscribe', topic: `${path}/data` })
  await socket.ask({ type: 'subscribe', topic: `${path}/live` })
  const { guid } = await of.readMatch(1)
  expect((await api.put(`${path}/match`, of.organiser, { matchGuid: guid })).status).toBe(200)
  const report = (game: number) =>
    api.put(`${of.match(1)}/games/${game}`, of.organiser, { sides: [{ score: 2 }, { score: 1 }] })
  expect((await report(1)).status).toBe(200)
  const control = () => socket.copies.of(`${path}/control`).body as { scene: string; revision: number }
  await vi.waitUntil(() => control().scene === 'scene7after', { timeout: 20_000 })
  const { revision } = control()
  await vi.waitUntil(() => control().scene === 'scene9picks', { timeout: 20_000 })
  expect(control().revision).toBe(revision + 1)
  await report(2)
  await caughtUp(api, sceneFollower)
  expect((await shown.control()).next).toBe('scene9picks')
  expect((await api.patch(`${path}/control`, of.organiser, { scene: 'scene0start' })).status).toBe(200)
  expect(await shown.control()).toMatchObject({ scene: 'scene0start', next: null })
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(control().scene).toBe('scene0start')
})

test('a tournament that is completed shows its winners wherever one of its matches is shown', async () => {
  const [of, other] = [
    await makeBracket(api, { teams: 2, format: 'single_elimination' }),
    await makeBracket(api, { teams: 2, format: 'single_elimination' }),
  ]
  const { guid: match } = await of.readMatch(1)
  const scenes = { scene0start: 'start', scene7after: 'summary' } as const
  const document = sceneDocumentOf({ ...scenes, scene5winner: 'winners' })
  const [pointing, without, byHand, pointless] = await Promise.all(
    [
      { match, document },
      { match, document: sceneDocumentOf(scenes) },
      { match, document, autoAdvance: false },
      { document },
    ].map((wish) => showOverlay(api, of.cup, of.organiser, wish)),
  )
  const elsewhere = await showOverlay(api, other.cup, other.organiser, {
    match: (await other.readMatch(1)).guid,
    document,
  })
  expect((await api.put(`${of.match(1)}/result`, of.organiser, { outcome: 'walkover', winner: 1 })).status).toBe(200)
  const all = [pointing, without, byHand, pointless, elsewhere]
  const shown = async () => {
    await settled()
    return Promise.all(all.map(async (overlay) => (await overlay?.control())?.scene ?? null))
  }
  expect(await shown()).toEqual(['scene7after', 'scene7after', null, null, null])
  const status = (value: string) => api.post(`/tournaments/${of.cup.id}/status`, of.organiser, { status: value })
  expect((await status('completed')).status).toBe(200)
  expect(await shown()).toEqual(['scene5winner', 'scene7after', null, null, null])
  expect((await emittedFor(pointing as ShownOverlay)).at(-1)).toMatchObject({
    actor: null,
    after: { scene: 'scene5winner' },
  })
})
