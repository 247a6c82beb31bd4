import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { remembered } from '../../../../test/make.ts'
import { type Bracket, type Match, makeStage, pairs, playOut, type Stage, win } from '../../../../test/stage.ts'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

async function lastEvent(stage: Stage) {
  const rows = await api.sql(
    'select type, subject, actor, before, after from event_log where tournament = $1 order by seq desc limit 1',
    [stage.cup.guid],
  )
  return rows[0]
}

const countEvents = async (stage: Stage) =>
  (await api.sql('select from event_log where tournament = $1', [stage.cup.guid])).length

describe('changing a bracket', () => {
  const patch = (stage: Stage, bracket: Bracket, body: object) =>
    api.patch(`${stage.path}/brackets/${bracket.guid}`, organiser, body)

  test('its name and place in the list', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const bracket = await stage.bracket()
    const reply = await patch(stage, bracket, { name: ' Finals  day ', order: 4 })
    expect(reply.body).toEqual({
      ...bracket,
      name: 'Finals day',
      order: 4,
      revision: 2,
      updatedAt: expect.any(String),
    })
    expect(await lastEvent(stage)).toEqual({
      type: 'bracket.updated',
      subject: bracket.guid,
      actor: organiser.guid,
      before: { name: 'Playoffs', order: 1 },
      after: { name: 'Finals day', order: 4 },
    })
    const events = await countEvents(stage)
    expect((await patch(stage, bracket, { name: 'Finals day', order: 4 })).body.revision).toBe(2)
    expect(await countEvents(stage)).toBe(events)
  })

  test('the length of rounds, in their matches and from then on', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const bracket = await stage.bracket({ settings: { bestOfByRound: { 'upper:1': 1 } } })
    expect(bracket.matches.map(({ bestOf }: Match) => bestOf)).toEqual([1, 1, 3])
    const { body } = await patch(stage, bracket, { bestOfByRound: { 'upper:2': 7 } })
    expect(body.matches.map(({ bestOf, winsNeeded }: Match) => [bestOf, winsNeeded])).toEqual([
      [1, 1],
      [1, 1],
      [7, 4],
    ])
    expect(body.rounds.map(({ bestOf }: Bracket) => bestOf)).toEqual([1, 7])
    expect(body.settings.bestOfByRound).toEqual({ 'upper:1': 1, 'upper:2': 7 })
    expect(body.matches.map(({ revision }: Match) => revision)).toEqual([1, 1, 2])
    expect(await lastEvent(stage)).toMatchObject({
      before: { bestOfByRound: { 'upper:1': 1 } },
      after: { bestOfByRound: { 'upper:1': 1, 'upper:2': 7 } },
    })
    const events = await countEvents(stage)
    expect((await patch(stage, bracket, { bestOfByRound: { 'upper:2': 7 } })).body).toEqual(body)
    expect(await countEvents(stage)).toBe(events)
  })

  test('matches that were begun keep their length, and a round of which all were is 409', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const bracket = await stage.bracket()
    const [first, second] = bracket.matches
    await win(api, stage, first, 1)
    const { body } = await patch(stage, bracket, { bestOfByRound: { 'upper:1': 5 } })
    expect(body.matches.map(({ bestOf }: Match) => bestOf)).toEqual([3, 5, 3])
    expect((await api.post(`${stage.path}/matches/${second.guid}/start`, organiser)).status).toBe(200)
    expect(outcome(await patch(stage, bracket, { bestOfByRound: { 'upper:1': 1, 'upper:2': 5 } }))).toEqual([
      409,
      'bracket.round_played',
    ])
    expect((await stage.read(bracket)).matches.map(({ bestOf }: Match) => bestOf)).toEqual([3, 5, 3])
  })

  test('a Swiss round that is yet to come', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const bracket = await stage.bracket({ format: 'swiss' })
    expect((await patch(stage, bracket, { bestOfByRound: { 'swiss:2': 5 } })).status).toBe(200)
    await playOut(api, stage, bracket)
    const { body } = await api.post(`${stage.path}/brackets/${bracket.guid}/rounds`, organiser)
    expect(body.matches.map(({ round, bestOf }: Match) => [round, bestOf])).toEqual([
      [1, 3],
      [1, 3],
      [2, 5],
      [2, 5],
    ])
    expect(outcome(await patch(stage, bracket, { bestOfByRound: { 'swiss:3': 5 } }))).toEqual([
      400,
      'bracket.settings_invalid',
    ])
  })

  test.each([
    ['nothing', {}, 'bracket.nothing_to_change'],
    ['a format', { format: 'swiss' }, 'bracket.nothing_to_change'],
    ['an empty name', { name: '' }, 'request.invalid'],
    ['order 0', { order: 0 }, 'request.invalid'],
    ['an even length', { bestOfByRound: { 'upper:1': 2 } }, 'bracket.settings_invalid'],
    ['a length that is no number', { bestOfByRound: { 'upper:1': '5' } }, 'request.invalid'],
    ['a round that is not there', { bestOfByRound: { 'upper:3': 5 } }, 'bracket.settings_invalid'],
    ['a section that is not there', { bestOfByRound: { 'lower:1': 5 } }, 'bracket.settings_invalid'],
    ['a round by another name', { bestOfByRound: { final: 5 } }, 'bracket.settings_invalid'],
  ])('%s is 400', async (_what, body, code) => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const bracket = await stage.bracket()
    expect(outcome(await patch(stage, bracket, body))).toEqual([400, code])
    expect(await stage.read(bracket)).toEqual(bracket)
  })

  test('groups of many keep their settings', async () => {
    const stage = await makeStage(api, organiser, { teams: 120 })
    const bracket = await stage.bracket({ format: 'round_robin', settings: { groups: 30 } })
    const { body } = await patch(stage, bracket, { bestOfByRound: { 'group:1': 1 } })
    expect(body.settings).toEqual({ ...bracket.settings, bestOfByRound: { 'group:1': 1 } })
  })
})

describe('generating anew', () => {
  const generate = (stage: Stage, bracket: Bracket, body: object, query = '') =>
    api.post(`${stage.path}/brackets/${bracket.guid}/generate${query}`, organiser, {
      entrants: { source: 'registered' },
      ...body,
    })

  test('makes other matches in the same bracket', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const before = await stage.bracket({ settings: { bestOf: 5 } })
    const other = await stage.bracket({ name: 'Other' })
    await api.sql(`update teams set status = 'unregistered' where guid = $1`, [stage.teams[0]?.guid])
    const reply = await generate(stage, before, {})
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({
      guid: before.guid,
      name: 'Playoffs',
      order: 1,
      format: 'single_elimination',
      revision: 2,
      settings: { bestOf: 5 },
    })
    // Numbers continue after those of the other bracket.
    expect(other.matches.map(({ number }: Match) => number)).toEqual([4, 5, 6])
    expect(reply.body.matches.map(({ number }: Match) => number)).toEqual([7, 8, 9])
    expect(pairs(reply.body.matches)).toEqual(['t2 bye', 't3 t4', 't2 -'])
    expect(await stage.read(before)).toEqual(reply.body)
    const rows = await api.sql('select from matches where bracket_guid = $1', [before.guid])
    expect(rows).toHaveLength(3)
    expect(await lastEvent(stage)).toMatchObject({
      type: 'bracket.generated',
      subject: before.guid,
      before: { name: 'Playoffs', format: 'single_elimination', status: 'ready', started: 0 },
      after: { name: 'Playoffs', format: 'single_elimination', status: 'ready', entrants: 3, matches: 3 },
    })
  })

  test('in another format settings begin anew; name and order may change', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const before = await stage.bracket({ settings: { bestOf: 5 } })
    const { body } = await generate(stage, before, { format: 'swiss', name: 'Swiss', order: 3 })
    expect(body).toMatchObject({ name: 'Swiss', order: 3, format: 'swiss', settings: { bestOf: 3, rounds: 2 } })
    expect(body.rounds.map(({ name }: Bracket) => name)).toEqual(['Round 1'])
    expect(body.matches).toHaveLength(2)
    const back = await generate(stage, before, { format: 'round_robin', settings: { legs: 2 } })
    expect(back.body).toMatchObject({ format: 'round_robin', settings: { legs: 2 }, status: 'ready' })
    expect(back.body.matches).toHaveLength(12)
  })

  test('is 409 once a match was begun, unless by force', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const bracket = await stage.bracket()
    await api.post(`${stage.path}/matches/${bracket.matches[0].guid}/start`, organiser)
    expect(outcome(await generate(stage, bracket, {}))).toEqual([409, 'bracket.played'])
    expect(outcome(await generate(stage, bracket, { force: false }))).toEqual([409, 'bracket.played'])
    const { body } = await generate(stage, bracket, { force: true })
    expect(body).toMatchObject({ status: 'ready', guid: bracket.guid })
    expect(body.matches.every(({ games, status }: Match) => games.length === 0 && status !== 'running')).toBe(true)
  })

  test('by force also when all is over, with its corrections', async () => {
    const stage = await makeStage(api, organiser, { teams: 2 })
    const bracket = await stage.bracket()
    const over = await playOut(api, stage, bracket)
    const corrected = await api.put(`${stage.path}/matches/${bracket.matches[0].guid}/result`, organiser, {
      outcome: 'score',
      winner: 2,
      scores: [0, 2],
      revision: over.revision,
    })
    expect(corrected.status).toBe(200)
    expect(await api.sql('select from corrections where bracket_guid = $1', [bracket.guid])).toHaveLength(1)
    expect((await generate(stage, bracket, { force: true })).body.status).toBe('ready')
    expect(await api.sql('select from corrections where bracket_guid = $1', [bracket.guid])).toEqual([])
  })

  test('a dry run changes nothing', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const bracket = await stage.bracket()
    const before = await stage.read(bracket)
    const dry = await generate(stage, bracket, { format: 'double_elimination' }, '?dryRun=true')
    expect([dry.status, dry.body.matches.length]).toEqual([200, 7])
    expect(dry.body.matches.map(({ number }: Match) => number)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(await stage.read(bracket)).toEqual(before)
    await win(api, stage, bracket.matches[0], 1)
    expect(outcome(await generate(stage, bracket, {}, '?dryRun=true'))).toEqual([409, 'bracket.played'])
  })

  test('a bracket takes no teams from itself', async () => {
    const stage = await makeStage(api, organiser, { teams: 2 })
    const bracket = await playOut(api, stage, await stage.bracket())
    const entrants = { source: 'bracket', from: { bracketGuid: bracket.guid, places: [1, 2] } }
    expect(outcome(await generate(stage, bracket, { entrants, force: true }))).toEqual([
      400,
      'bracket.entrants_invalid',
    ])
  })

  test('settings that no longer fit the teams are refused', async () => {
    const stage = await makeStage(api, organiser, { teams: 8 })
    const bracket = await stage.bracket({ format: 'round_robin', settings: { groups: 4 } })
    const entrants = { source: 'registered', size: 4 }
    expect(outcome(await generate(stage, bracket, { entrants }))).toEqual([400, 'bracket.settings_invalid'])
    expect((await stage.read(bracket)).matches).toHaveLength(4)
  })
})

describe('deleting a bracket', () => {
  const remove = (stage: Stage, bracket: Bracket, query = '', body?: object) =>
    api.delete(`${stage.path}/brackets/${bracket.guid}${query}`, organiser, body)

  test('takes its matches with it', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const bracket = await stage.bracket()
    expect(outcome(await remove(stage, bracket))).toEqual([204, null])
    expect(outcome(await api.get(`${stage.path}/brackets/${bracket.guid}`))).toEqual([404, 'bracket.unknown'])
    expect(await api.sql('select from matches where tournament_guid = $1', [stage.cup.guid])).toEqual([])
    expect(await lastEvent(stage)).toEqual({
      type: 'bracket.deleted',
      subject: bracket.guid,
      actor: organiser.guid,
      before: {
        divisionGuid: stage.division,
        name: 'Playoffs',
        format: 'single_elimination',
        status: 'ready',
        started: 0,
      },
      after: null,
    })
    expect(outcome(await remove(stage, bracket))).toEqual([404, 'bracket.unknown'])
  })

  test.each([
    ['?force=true', undefined],
    ['', { force: true }],
  ])('once a match was begun it is 409, but not with %j and %j', async (query, body) => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const bracket = await stage.bracket()
    await win(api, stage, bracket.matches[1], 2)
    expect(outcome(await remove(stage, bracket))).toEqual([409, 'bracket.played'])
    expect(outcome(await remove(stage, bracket, '?force=false', {}))).toEqual([409, 'bracket.played'])
    expect((await stage.read(bracket)).matches).toHaveLength(3)
    expect(outcome(await remove(stage, bracket, query, body))).toEqual([204, null])
  })
})

describe('what would be deleted with a bracket', () => {
  const ask = (stage: Stage, bracket: Bracket, query = '', as = organiser) =>
    api.delete(`${stage.path}/brackets/${bracket.guid}?dryRun=true${query}`, as)

  test('is told in numbers, and nothing is deleted', async () => {
    const stage = await makeStage(api, organiser, { teams: 6 })
    const [other, bracket] = [await stage.bracket(), await stage.bracket()]
    const [first, second] = bracket.matches.filter(({ status }: Match) => status === 'ready')
    const [match, next] = [`${stage.path}/matches/${first?.guid}`, `${stage.path}/matches/${second?.guid}`]
    const none = { dryRun: true, matches: 5, results: 0, running: 0, scheduled: 0, corrections: 0, queued: 0 }
    expect((await ask(stage, bracket)).body).toEqual(none)
    await api.patch(match, organiser, { scheduledAt: '2027-03-01T18:00:00.000Z' })
    const channels = [{ name: 'Main', url: 'https://video.example/main' }]
    const { body } = await api.put(`${stage.path}/channels`, organiser, { channels, revision: 0 })
    const queue = `${stage.path}/channels/${body.channels[0].guid}/queue`
    const entries = [first, second, other.matches.find(({ status }: Match) => status === 'ready')]
    const queued = { entries: entries.map((each) => ({ match: each?.guid })), revision: 0 }
    expect((await api.put(queue, organiser, queued)).status).toBe(200)
    await win(api, stage, first, 2)
    const { body: bracketNow } = await api.get(`${stage.path}/brackets/${bracket.guid}`, organiser)
    const correction = { outcome: 'score', scores: [1, 2], reason: 'Wrong side.', revision: bracketNow.revision }
    expect((await api.put(`${match}/result`, organiser, correction)).status).toBe(200)
    expect((await api.post(`${next}/start`, organiser)).status).toBe(200)
    expect(outcome(await ask(stage, bracket))).toEqual([409, 'bracket.played'])
    const reply = await ask(stage, bracket, '&force=true')
    expect(reply.body).toEqual({ ...none, results: 1, running: 1, scheduled: 1, corrections: 1, queued: 2 })
    expect((await stage.read(bracket)).matches).toHaveLength(bracket.matches.length)
    expect((await ask(stage, other)).body).toEqual({ ...none, queued: 1 })
  })

  test('is refused to whoever may not delete it', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const bracket = await stage.bracket()
    expect((await ask(stage, bracket, '', await api.user())).status).toBe(403)
  })
})

describe('a team that stands in a bracket', () => {
  test('cannot be deleted, by anybody; once the bracket is gone it can', async () => {
    const stage = await makeStage(api, organiser, { teams: 3 })
    const bracket = await stage.bracket()
    const team = stage.teams[1]
    const reply = await api.delete(`${stage.path}/teams`, organiser, { teamGuid: team?.guid })
    expect(outcome(reply)).toEqual([409, 'team.in_bracket'])
    expect(reply.text).toContain('Withdraw')
    await api.delete(`${stage.path}/brackets/${bracket.guid}`, organiser)
    expect((await api.delete(`${stage.path}/teams`, organiser, { teamGuid: team?.guid })).status).toBe(200)
  })

  test('is no hindrance to deleting a draft of a tournament', async () => {
    const stage = await makeStage(api, organiser, { teams: 5, status: 'draft' })
    await stage.bracket({ format: 'double_elimination' })
    await stage.bracket({ format: 'swiss' })
    expect(outcome(await api.delete(stage.path, organiser))).toEqual([204, null])
    for (const table of ['brackets', 'matches', 'bracket_entrants', 'teams']) {
      expect(await api.sql(`select from ${table} where tournament_guid = $1`, [stage.cup.guid])).toEqual([])
    }
  })
})

test('what is remembered of a bracket follows its matches, its teams and the cards of its officials', async () => {
  const stage = await makeStage(api, organiser, { teams: 4 })
  const bracket = await stage.bracket()
  const path = `${stage.path}/brackets/${bracket.guid}`
  const referee = await api.user({ name: 'whistle' })
  await api.sql(`insert into match_officials (match_guid, user_guid, role) values ($1, $2, 'role:referee')`, [
    ...[bracket.matches[0].guid, referee.guid],
  ])
  await remembered(api, path)
  await remembered(api, `${path}/standings`)
  await win(api, stage, bracket.matches[0], 2)
  const read = (await api.get(path)).body
  expect(read).toEqual(await stage.read(bracket))
  expect(read.matches[0]).toMatchObject({
    status: 'completed',
    officials: [{ user: { guid: referee.guid }, role: 'role:referee' }],
  })
  expect((await api.get(`${path}/standings`)).body.standings).toEqual(read.standings)
  await remembered(api, path)
  await api.patch(`${stage.path}/teams/t2`, organiser, { name: 'Breves' })
  expect((await api.get(path)).body.entrants.map(({ team }: Bracket) => team.name)).toContain('Breves')
  await remembered(api, path)
  const renamed = await api.call('POST', '/updateUserSettings', { as: referee, body: { preferredName: 'Pea' } })
  expect(renamed.status).toBe(200)
  expect((await api.get(path)).body.matches[0].officials[0].user.preferredName).toBe('Pea')
})
