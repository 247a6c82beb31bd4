import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament, roleHolder } from '../../../../test/make.ts'
import { makeStage, type Stage } from '../../../../test/stage.ts'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

const question = { teams: 16, noShows: 0, channels: 2, format: 'double_elimination' }
const ask = (tournament: string, body: object, as: Caller | null = organiser) =>
  api.post(`/tournaments/${tournament}/estimate`, as, body)

async function answer(tournament: string, body: object) {
  const reply = await ask(tournament, body)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

interface Row {
  readonly matches: { readonly p50: number; readonly p90: number }
  readonly hours: { readonly p50: number; readonly p90: number }
}
const rows = (body: { readonly scenarios: readonly Row[] }) =>
  body.scenarios.map(({ matches, hours }) => [matches.p50, hours.p50])

/** Gives the played matches of a tournament a length in minutes, and ends them one after the other. */
const time = (stage: Stage, minutes: number) =>
  api.sql(
    `update matches set status = 'completed', outcome = 'score', started_at = timestamptz '2026-03-01 18:00Z',
       completed_at = timestamptz '2026-03-01 18:00Z' + $2 * interval '1 minute'
     where tournament_guid = $1 and section = 'upper' and round = 1`,
    [stage.cup.guid, minutes],
  )

describe('a tournament without brackets', () => {
  test('is estimated from a format, the same each time, and nothing is kept', async () => {
    const cup = await makeTournament(api, organiser)
    const [{ events } = { events: '' }] = await api.sql<{ events: string }>('select count(*) as events from event_log')
    const body = await answer(cup.guid, { ...question, noShows: [0, 2], format: 'single_elimination' })
    // 15 matches of half an hour on two channels: eight, four and two in pairs, and the final.
    expect(body).toMatchObject({
      runs: 500,
      seed: expect.any(String),
      basis: { durations: 'default', matches: 0 },
      scenarios: [
        { teams: 16, noShows: 0, matches: { p50: 15, p90: 15 }, hours: { p50: 4, p90: 4 } },
        { teams: 16, noShows: 2, matches: { p50: 13, p90: 13 } },
      ],
    })
    expect(body.scenarios[0].channels).toEqual([
      { hours: { p50: 4, p90: 4 }, matches: 8 },
      { hours: { p50: 3.5, p90: 3.5 }, matches: 7 },
    ])
    expect(await answer(cup.guid, { ...question, noShows: [0, 2], format: 'single_elimination' })).toEqual(body)
    const seeded = await answer(cup.guid, { ...question, seed: 'mine', bestOf: 1 })
    expect([seeded.seed, seeded.scenarios[0].matches]).toEqual(['mine', { p50: 30, p90: 31 }])
    const [after] = await api.sql<{ events: string }>('select count(*) as events from event_log')
    expect(after?.events).toBe(events)
  })

  test.each([
    ['no format', { format: undefined }, 'estimate.invalid'],
    ['more no-shows than teams', { noShows: [2, 17] }, 'estimate.invalid'],
    ['an even best-of', { bestOf: 2 }, 'estimate.invalid'],
    ['a round robin that is too large', { format: 'round_robin', teams: 200 }, 'bracket.settings_invalid'],
    ['one team', { teams: 1 }, 'request.invalid'],
    ['no channel', { channels: 0 }, 'request.invalid'],
    ['17 channels', { channels: 17 }, 'request.invalid'],
    ['nine scenarios', { noShows: [0, 1, 2, 3, 4, 5, 6, 7, 8] }, 'request.invalid'],
    ['no scenario', { noShows: [] }, 'request.invalid'],
    ['an unknown format', { format: 'ladder' }, 'request.invalid'],
    ['a seed that is too long', { seed: 'x'.repeat(65) }, 'request.invalid'],
  ])('is not estimated with %s', async (_, wrong, code) => {
    const cup = await makeTournament(api, organiser)
    expect(outcome(await ask(cup.guid, { ...question, ...wrong }))).toEqual([400, code])
  })
})

describe('a tournament with brackets', () => {
  test('is estimated with their settings, for other numbers of teams too', async () => {
    const stage = await makeStage(api, organiser, { teams: 8 })
    const settings = { bestOfByRound: { 'upper:3': 5 } }
    await stage.bracket({ settings })
    // Four, two and one match after each other on four channels, the final of 50 minutes; the format of the body is not used.
    const own = await answer(stage.cup.guid, { ...question, teams: 8, channels: 4 })
    expect(rows(own)).toEqual([[7, 1.83]])
    // One round more, and the final is still the longest match.
    expect(rows(await answer(stage.cup.guid, { ...question, channels: 8 }))).toEqual([[15, 2.33]])
    expect(rows(await answer(stage.cup.guid, { ...question, teams: 4, channels: 4 }))).toEqual([[3, 1.33]])
    expect(rows(await answer(stage.cup.guid, { ...question, teams: 8, channels: 4, bestOf: 1 }))).toEqual([[7, 0.5]])
  })

  test('is estimated stage by stage, and its divisions side by side', async () => {
    const stage = await makeStage(api, organiser, { teams: 8 })
    await stage.bracket({ format: 'round_robin', settings: { groups: 2 } })
    await stage.bracket({ entrants: { source: 'manual', teamGuids: [], size: 4 } })
    const own = await answer(stage.cup.guid, { ...question, teams: 8, channels: 4 })
    expect(rows(own)).toEqual([[15, 2.5]])
    const [second] = await api.sql<{ guid: string }>(
      `insert into divisions (tournament_guid, id, name, "order") values ($1, 'b', 'Division B', 2) returning guid`,
      [stage.cup.guid],
    )
    const manual = { source: 'manual', teamGuids: [], size: 4 }
    const made = await api.post(`${stage.path}/divisions/${second?.guid}/brackets`, organiser, {
      name: 'Beginners',
      format: 'single_elimination',
      entrants: manual,
    })
    expect(made.status, made.text).toBe(201)
    expect(rows(await answer(stage.cup.guid, { ...question, teams: 12, channels: 6 }))).toEqual([[18, 2.5]])
    expect(outcome(await ask(stage.cup.guid, { ...question, teams: 3 }))).toEqual([400, 'estimate.invalid'])
  })

  test('takes durations from its own matches, else from those of its organiser’s tournaments', async () => {
    const host = await api.user()
    const past = await makeStage(api, host, { teams: 8 })
    await past.bracket()
    const stage = await makeStage(api, host, { teams: 4 })
    await stage.bracket()
    const estimated = async () => {
      const reply = await ask(stage.cup.guid, { ...question, teams: 4, channels: 2 }, host)
      return [reply.body.basis, reply.body.scenarios[0].hours]
    }
    const usual = [
      { durations: 'default', matches: 0 },
      { p50: 1, p90: 1 },
    ]
    expect(await estimated()).toEqual(usual)
    // A result that was entered at once, and one of the next day, are no durations.
    for (const minutes of [0, 24 * 60]) {
      await time(past, minutes)
      expect(await estimated()).toEqual(usual)
    }
    await time(past, 45)
    expect(await estimated()).toEqual([
      { durations: 'past', matches: 4 },
      { p50: 1.5, p90: 1.5 },
    ])
    await api.sql(`update tournaments set status = 'draft' where guid = $1`, [past.cup.guid])
    expect(await estimated()).toEqual(usual)
    // Two own matches are too few, and count among those of the organiser.
    await time(stage, 15)
    expect(await estimated()).toEqual(usual)
    await api.sql(`update tournaments set status = 'approved' where guid = $1`, [past.cup.guid])
    expect((await estimated())[0]).toEqual({ durations: 'past', matches: 6 })
    const own = await makeStage(api, host, { teams: 8 })
    await own.bracket()
    await time(own, 60)
    expect((await ask(own.cup.guid, { ...question, teams: 8 }, host)).body.basis).toEqual({
      durations: 'own',
      matches: 4,
    })
  })
})

test('staff in any role may ask, and nobody else', async () => {
  const cup = await makeTournament(api, organiser)
  const caster = await roleHolder(api, cup, 'role:caster')
  expect((await ask(cup.guid, question, caster)).status).toBe(200)
  expect(outcome(await ask(cup.guid, question, await api.user()))[0]).toBe(403)
  expect(outcome(await ask(cup.guid, question, null))[0]).toBe(401)
  const draft = await makeTournament(api, organiser, { status: 'draft' })
  expect((await ask(draft.guid, question)).status).toBe(200)
  expect(outcome(await ask(draft.guid, question, await api.user()))).toEqual([404, 'tournament.unknown'])
  // A token that may only read is enough.
  const token = await api.token(organiser, ['rest:read'])
  const options = { token, body: question }
  expect((await api.call('POST', `/tournaments/${cup.guid}/estimate`, options)).status).toBe(200)
})

test('two are made at a time; others are told to come back, and the service goes on answering', async () => {
  const cup = await makeTournament(api, organiser)
  const large = { ...question, teams: 256, noShows: [0, 8, 16, 24], channels: 16 }
  const replies = Promise.all(Array.from({ length: 5 }, () => ask(cup.guid, large)))
  expect((await api.get(`/tournaments/${cup.guid}`)).status).toBe(200)
  const outcomes = (await replies).map(outcome)
  expect(outcomes.filter(([status]) => status === 200)).toHaveLength(2)
  expect(outcomes.filter(([, code]) => code === 'service.busy')).toHaveLength(3)
  expect((await ask(cup.guid, question)).status).toBe(200)
})
