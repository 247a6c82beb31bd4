import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { sceneDocumentOf, showOverlay } from '../../../../test/overlay-rows.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'

/** What follows events in a rehearsal has the instants of its clock, also where followers of the log do it. (R2) */

const field = {
  ...{ guid: randomUUID(), label: 'Number', help: null, type: 'text', required: false, options: [], subject: 'team' },
  private: true,
}

let api: Harness
let made: MadeBracket
beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 2, format: 'single_elimination', settings: { bestOf: 3 } })
  const { cup, organiser, teams } = made
  await api.sql('update tournaments set additional_fields = $2 where guid = $1', [cup.guid, JSON.stringify([field])])
  await api.sql(
    `insert into field_answers (team_guid, field_guid, response, is_private) values ($1, $2, '"55"', true)`,
    [...[teams[0]?.guid, field.guid]],
  )
  const document = sceneDocumentOf({ scene0start: 'start', scene1picks: 'pickBan', scene2after: 'summary' })
  await showOverlay(api, cup, organiser, { document, autoDelayMs: 30_000, match: (await made.readMatch(1)).guid })
})
afterAll(() => api[Symbol.asyncDispose]())

const start = Date.parse('2031-05-01T10:00:00.000Z')
const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString()
const week = 7 * 86_400
const soon = { timeout: 10_000, interval: 20 }

test('scenes, answers of teams, topics and their facts', async () => {
  const { organiser, path: real } = made
  const { guid, id } = (await api.post(`${real}/rehearsals`, organiser, { name: 'Dry run', startsAt: at(0) })).body
  const [path, own] = [`/tournaments/${guid}`, `${real}/rehearsals/${guid}`]
  const clock = async (seconds: number) =>
    expect((await api.post(`${own}/clock`, organiser, { advanceTo: at(seconds) })).body).toMatchObject({ done: true })
  const done = async (call: ReturnType<Harness['post']>) => expect(outcome(await call)).toEqual([200, null])
  await done(api.post(`${path}/status`, organiser, { status: 'ongoing' }))
  await using socket = await openSocket(api, { as: organiser })
  const topic = `${path}/matches/1`
  for (const asked of [{ topic: own }, { topic, facts: true }]) {
    expect(await socket.ask({ type: 'subscribe', ...asked })).toMatchObject({ type: 'snapshot' })
  }
  const [copied] = (await api.get(path, organiser)).body.additionalFields
  await done(api.patch(path, organiser, { additionalFields: [{ ...copied, private: false }] }))
  await clock(60)
  await done(api.post(`${topic}/start`, organiser))
  await done(api.put(`${topic}/games/1`, organiser, { sides: [{ score: 2 }, { score: 1 }] }))
  await clock(60 + 29)
  const sceneOf = async () =>
    (
      await api.sql<{ scene: string; advance_at: Date | null }>(
        `select c.scene, c.advance_at from overlay_controls c join overlays o on o.guid = c.overlay_guid
         where o.tournament_guid = $1`,
        [guid],
      )
    )[0]
  expect(await sceneOf()).toEqual({ scene: 'scene2after', advance_at: new Date(at(90)) })
  await clock(60 + 31)
  expect(await sceneOf()).toEqual({ scene: 'scene1picks', advance_at: null })
  const hidden = { 'team.answers_announced': at(0), 'team.answers_published': at(week) }
  const answered = async () => {
    const rows = await api.sql<{ type: string; clock_at: Date }>(
      `select type, clock_at from event_log where tournament = $1 and type like 'team.answers%' order by seq`,
      [guid],
    )
    return Object.fromEntries(rows.map((row) => [row.type, row.clock_at.toISOString()]))
  }
  await clock(week - 1)
  expect(await answered()).toEqual({ 'team.answers_announced': hidden['team.answers_announced'] })
  await clock(week + 60)
  expect(await answered()).toEqual(hidden)
  // Its staff are told the same, and followers of its topics.
  const { entries } = (await api.get(`${path}/audit?limit=50`, organiser)).body
  const told = entries.map((entry: { type: string; at: string }) => [entry.type, entry.at])
  expect(told).toContainEqual(['overlay.control_changed', at(90)])
  expect(told).toContainEqual(['match.started', at(60)])
  expect(told).toContainEqual(['team.answers_published', at(week)])
  await expect.poll(() => socket.copies.of(own).body, soon).toMatchObject({ id, clock: { now: at(week + 60) } })
  const match = socket.copies.of(`${topic}?facts=1`)
  await expect.poll(() => match.facts.length, soon).toBeGreaterThanOrEqual(2)
  expect(match.facts.map((fact) => [fact.type, fact.at])).toEqual([
    ['match.started', at(60)],
    ['match.game_reported', at(60)],
  ])
  await expect.poll(() => match.body, soon).toMatchObject({ startedAt: at(60), games: [{ number: 1 }] })
})

test('how far viewers see, who are behind it', async () => {
  const { organiser, path: real } = made
  const { guid } = (await api.post(`${real}/rehearsals`, organiser, { name: 'Late', startsAt: at(0) })).body
  const [path, own] = [`/tournaments/${guid}`, `${real}/rehearsals/${guid}`]
  const clock = async (seconds: number) =>
    expect((await api.post(`${own}/clock`, organiser, { advanceTo: at(seconds) })).body).toMatchObject({ done: true })
  const done = async (call: ReturnType<Harness['post']>) => expect(outcome(await call)).toEqual([200, null])
  await done(api.post(`${path}/status`, organiser, { status: 'ongoing' }))
  await done(api.patch(path, organiser, { streamDelaySeconds: 600 }))
  await clock(60)
  await done(api.post(`${path}/matches/1/start`, organiser))
  const [started] = await api.sql<{ seq: string; subject: string }>(
    `select seq, subject from event_log where tournament = $1 and type = 'match.started'`,
    [guid],
  )
  const isShown = async () =>
    (
      await api.sql<{ shown: boolean }>('select up_to >= $3 as shown from delayed.show($1, $2)', [
        ...[guid, started?.subject, started?.seq],
      ])
    )[0]?.shown
  // Staff read as viewers would, who do not see it.
  const match = `${path}/matches/1`
  const stranger = await api.user()
  const late = async (address: string) => {
    expect(outcome(await api.get(`${address}?delayed=true`, stranger))).toEqual([404, 'tournament.unknown'])
    const reply = await api.get(`${address}?delayed=true`, organiser)
    expect([reply.status, reply.headers.get('delayed')], reply.text).toEqual([200, '600'])
    return reply.body
  }
  const statusFor = async () => {
    await using socket = await openSocket(api, { as: organiser })
    const seen = await socket.ask({ type: 'subscribe', topic: `${match}?delayed=true` })
    await using outside = await openSocket(api, { as: stranger })
    const refused = await outside.ask({ type: 'subscribe', topic: `${match}?delayed=true` })
    expect(refused).toMatchObject({ type: 'error', code: 'topic.unknown' })
    return [(await late(match)).status, (seen.body as { status?: string } | undefined)?.status]
  }
  const { status: now } = (await api.get(match, organiser)).body
  await clock(659)
  expect([now, await isShown(), await statusFor()]).toEqual(['running', false, ['ready', 'ready']])
  await clock(661)
  expect([await isShown(), await statusFor()]).toEqual([true, ['running', 'running']])
  expect((await late(`${path}/matches`)).matches).toHaveLength(1)
  await done(api.patch(path, organiser, { spoilerMode: 'held' }))
  await done(api.put(`${match}/games/1`, organiser, { sides: [{ score: 2 }, { score: 1 }] }))
  expect([(await late(match)).games, (await api.get(match, organiser)).body.games.length]).toEqual([[], 1])
  await using present = await openSocket(api, { as: organiser })
  expect(await present.ask({ type: 'subscribe', topic: match })).toMatchObject({ body: { games: [{ number: 1 }] } })
  expect(await statusFor()).toEqual(['running', 'running'])
})
