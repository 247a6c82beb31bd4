import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type Bracket, type Match, makeStage, pairs, playOut, type Stage } from '../../../../test/stage.ts'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

const places = (bracket: Bracket) =>
  bracket.entrants.map(({ slot, seed, team }: Bracket) => `${slot}:${seed}:${team?.id ?? '-'}`)
const bySeed = (bracket: Bracket) =>
  bracket.entrants
    .toSorted((one: Bracket, other: Bracket) => one.seed - other.seed)
    .map(({ seed, team }: Bracket) => `${seed}:${team?.id ?? '-'}`)

test('a bracket of four teams stands as its matches, rounds and places have it', async () => {
  const stage = await makeStage(api, organiser, { teams: 4 })
  const [t1, t2, t3, t4] = stage.teams
  const bracket = await stage.bracket({ name: ' Grand   playoffs ' })
  const [first, second, final] = bracket.matches
  expect(bracket).toMatchObject({
    division: stage.division,
    name: 'Grand playoffs',
    order: 1,
    format: 'single_elimination',
    settings: { bestOf: 3, bestOfByRound: {}, seedOrdering: 'standard', thirdPlace: false, tieBreakers: [] },
    status: 'ready',
    revision: 1,
    rounds: [
      { number: 1, section: 'upper', name: 'Semi-finals', bestOf: 3, matchGuids: [first.guid, second.guid] },
      { number: 2, section: 'upper', name: 'Final', bestOf: 3, matchGuids: [final.guid] },
    ],
  })
  expect(Object.keys(bracket.settings)).not.toContain('groups')
  expect(bracket.entrants[0]).toEqual({
    slot: 1,
    seed: 1,
    team: { guid: t1?.guid, id: 't1', name: 'Team 1', imageUrl: null, color: null },
    withdrawal: null,
  })
  expect(places(bracket)).toEqual(['1:1:t1', '2:4:t4', '3:2:t2', '4:3:t3'])
  expect(first).toEqual({
    guid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    number: 1,
    division: stage.division,
    bracket: bracket.guid,
    section: 'upper',
    round: 1,
    groupIndex: null,
    calledAt: null,
    status: 'ready',
    outcome: null,
    sides: [
      { team: bracket.entrants[0].team, from: null, bye: false, score: null, result: null },
      { team: bracket.entrants[1].team, from: null, bye: false, score: null, result: null },
    ],
    bestOf: 3,
    winsNeeded: 2,
    games: [],
    conditional: false,
    nextMatchGuid: final.guid,
    loserMatchGuid: null,
    pairing: null,
    scheduledAt: null,
    startedAt: null,
    completedAt: null,
    streamUrl: null,
    vodUrl: null,
    officials: [],
    notes: null,
    pool: null,
    revision: 1,
    updatedAt: expect.any(String),
  })
  expect(final).toMatchObject({
    number: 3,
    status: 'locked',
    sides: [
      { team: null, from: { matchGuid: first.guid, number: 1, outcome: 'winner' }, bye: false },
      { team: null, from: { matchGuid: second.guid, number: 2, outcome: 'winner' }, bye: false },
    ],
    nextMatchGuid: null,
  })
  expect(bracket.standings.map(({ rank, team }: Bracket) => [rank, team.guid])).toEqual(
    [t1, t2, t3, t4].map((team) => [1, team?.guid]),
  )
  const read = await api.get(`${stage.path}/brackets/${bracket.guid.toUpperCase()}`)
  expect(read.body).toEqual(bracket)
  const [event] = await api.sql(
    `select type, subject, before, after from event_log where tournament = $1 order by seq desc limit 1`,
    [stage.cup.guid],
  )
  expect(event).toEqual({
    type: 'bracket.created',
    subject: bracket.guid,
    before: null,
    after: {
      divisionGuid: stage.division,
      name: 'Grand playoffs',
      order: 1,
      format: 'single_elimination',
      status: 'ready',
      entrants: 4,
      matches: 3,
    },
  })
})

test('the list of divisions shows brackets without matches, in their order', async () => {
  const stage = await makeStage(api, organiser, { teams: 4 })
  const last = await stage.bracket({ name: 'Last', order: 9 })
  const groups = await stage.bracket({ name: 'Groups', format: 'round_robin', order: 2, settings: { groups: 2 } })
  const [division] = (await api.get(`${stage.path}/divisions`)).body
  const { matches: _m, standings: _s, ...withoutMatches } = groups
  const { matches: _m2, standings: _s2, ...lastWithout } = last
  expect(division).toMatchObject({ id: 'a', brackets: [withoutMatches, lastWithout] })
  expect(division.brackets[0]).not.toHaveProperty('matches')
  expect((await stage.bracket({ name: 'Next' })).order).toBe(10)
})

describe('match numbers', () => {
  test('go on through the division, and begin anew in another one', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const groups = await stage.bracket({ format: 'round_robin' })
    const playoffs = await stage.bracket({ format: 'double_elimination' })
    const numbers = (bracket: Bracket) => bracket.matches.map(({ number }: Match) => number)
    expect(numbers(groups)).toEqual([1, 2, 3, 4, 5, 6])
    expect(numbers(playoffs)).toEqual([7, 8, 9, 10, 11, 12, 13])
    const guidOf = new Map(playoffs.matches.map((match: Match) => [match.guid, match.number]))
    for (const match of playoffs.matches) {
      for (const { from } of match.sides) {
        if (from === null) continue
        expect(guidOf.get(from.matchGuid)).toBe(from.number)
        const feeder = playoffs.matches.find(({ guid }: Match) => guid === from.matchGuid)
        expect(from.outcome === 'winner' ? feeder.nextMatchGuid : feeder.loserMatchGuid).toBe(match.guid)
      }
    }
    const { body: other } = await api.post(`${stage.path}/divisions`, organiser, { name: 'Division B' })
    const made = await api.post(`${stage.path}/divisions/${other.id}/brackets`, organiser, {
      name: 'B',
      format: 'single_elimination',
      entrants: { source: 'registered' },
    })
    expect(numbers(made.body)).toEqual([1, 2, 3])
    expect((await playOut(api, stage, playoffs)).status).toBe('completed')
  })
})

describe('teams that enter', () => {
  async function mixed() {
    const stage = await makeStage(api, organiser, { teams: 6 })
    await api.sql(
      `update teams set status = case when id in ('t2', 't4', 't6') then 'qualified' when id = 't5' then 'unregistered'
         else status end where tournament_guid = $1`,
      [stage.cup.guid],
    )
    return stage
  }

  test('`registered` takes registered and qualified ones, by when they registered', async () => {
    expect(bySeed(await (await mixed()).bracket())).toEqual(['1:t1', '2:t2', '3:t3', '4:t4', '5:t6'])
  })

  test('`qualified` takes qualified ones alone', async () => {
    const bracket = await (await mixed()).bracket({ entrants: { source: 'qualified' } })
    expect(bySeed(bracket)).toEqual(['1:t2', '2:t4', '3:t6'])
  })

  test('seeds come first, and are kept where each team has one of its own', async () => {
    const seeded = await makeStage(api, organiser, { teams: 4, seeds: [9, 2, 5, 30] })
    expect(bySeed(await seeded.bracket())).toEqual(['2:t2', '5:t3', '9:t1', '30:t4'])
    const partly = await makeStage(api, organiser, { teams: 4, seeds: [null, 7, null, 3] })
    expect(bySeed(await partly.bracket())).toEqual(['1:t4', '2:t2', '3:t1', '4:t3'])
    expect(bySeed(await partly.bracket({ entrants: { source: 'registered', size: 2 } }))).toEqual(['3:t4', '7:t2'])
  })

  test('`size` takes at most the best so many', async () => {
    const stage = await makeStage(api, organiser, { teams: 5 })
    const entrants = (size: number) => ({ entrants: { source: 'registered', size } })
    expect(bySeed(await stage.bracket(entrants(4)))).toEqual(['1:t1', '2:t2', '3:t3', '4:t4'])
    expect((await stage.bracket(entrants(16))).entrants).toHaveLength(5)
  })

  test('`manual` takes the teams in the order in which they are named', async () => {
    const stage = await makeStage(api, organiser, { teams: 4, seeds: [1, 2, 3, 4] })
    const [t1, t2, t3, t4] = stage.teams.map(({ guid }) => guid)
    const manual = (body: object) => stage.bracket({ entrants: { source: 'manual', ...body } })
    expect(bySeed(await manual({ teamGuids: [t3, t1, t4?.toUpperCase()] }))).toEqual(['1:t3', '2:t1', '3:t4'])
    expect(bySeed(await manual({ teamGuids: [t4, t2, t1], size: 2 }))).toEqual(['1:t4', '2:t2'])
  })

  test('places beyond the named teams stay empty, and the bracket is a draft', async () => {
    const stage = await makeStage(api, organiser, { teams: 3 })
    const teamGuids = stage.teams.map(({ guid }) => guid)
    const bracket = await stage.bracket({ entrants: { source: 'manual', teamGuids, size: 5 } })
    expect([bracket.status, ...bySeed(bracket)]).toEqual(['draft', '1:t1', '2:t2', '3:t3', '4:-', '5:-'])
    expect(bracket.standings).toHaveLength(3)
    const empty = await stage.bracket({ entrants: { source: 'manual', teamGuids: [], size: 4 } })
    expect([empty.status, ...pairs(empty.matches)]).toEqual(['draft', '- -', '- -', '- -'])
  })

  test('`seedOrdering: manual` fills the first round from the top', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const bracket = await stage.bracket({
      settings: { seedOrdering: 'manual' },
      entrants: { source: 'manual', teamGuids: stage.teams.map(({ guid }) => guid) },
    })
    expect(pairs(bracket.matches)).toEqual(['t1 t2', 't3 t4', '- -'])
  })
})

describe('teams that come from another bracket', () => {
  async function played(settings: object, teams: number): Promise<{ stage: Stage; source: Bracket }> {
    const stage = await makeStage(api, organiser, { teams })
    const source = await stage.bracket({ format: 'round_robin', settings })
    return { stage, source: await playOut(api, stage, source) }
  }
  const from = (source: Bracket, numbers: readonly number[], size?: number) => ({
    entrants: { source: 'bracket', from: { bracketGuid: source.guid, places: numbers }, size },
  })

  test('enter by their places; of several groups each gives its own', async () => {
    // The snake makes the groups t1 t4 t5 and t2 t3 t6. The better seed wins every match.
    const { stage, source } = await played({ groups: 2 }, 6)
    expect(bySeed(await stage.bracket(from(source, [1, 2])))).toEqual(['1:t1', '2:t2', '3:t4', '4:t3'])
    expect(bySeed(await stage.bracket(from(source, [2, 1])))).toEqual(['1:t4', '2:t3', '3:t1', '4:t2'])
    expect(bySeed(await stage.bracket(from(source, [1, 2], 2)))).toEqual(['1:t1', '2:t2'])
  })

  test('also from an elimination, where equal ranks come by seed', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const source = await playOut(api, stage, await stage.bracket())
    expect(bySeed(await stage.bracket(from(source, [3, 4])))).toEqual(['1:t3', '2:t4'])
  })

  test('a team that has left since leaves its place empty', async () => {
    const { stage, source } = await played({}, 3)
    await api.post(`${stage.path}/teams/t2/withdraw`, organiser, { reason: 'ill', policy: 'walkover' })
    const bracket = await stage.bracket(from(source, [1, 2, 3]))
    expect([bracket.status, ...bySeed(bracket)]).toEqual(['draft', '1:t1', '2:-', '3:t3'])
  })

  test('an open bracket is 409, and one of another tournament 404', async () => {
    const stage = await makeStage(api, organiser, { teams: 3 })
    const open = await stage.bracket({ format: 'round_robin' })
    expect(outcome(await stage.create(from(open, [1, 2])))).toEqual([409, 'bracket.not_completed'])
    const elsewhere = await played({}, 2)
    expect(outcome(await stage.create(from(elsewhere.source, [1, 2])))).toEqual([404, 'bracket.unknown'])
    expect(outcome(await stage.create(from({ guid: stage.division }, [1, 2])))).toEqual([404, 'bracket.unknown'])
  })

  test.each([
    ['a place that nobody has', [1, 4]],
    ['a place twice', [1, 1]],
    ['one place', [1]],
    ['no place', []],
    ['place 0', [0, 1]],
    ['half a place', [1.5, 2]],
  ])('%s is 400', async (_what, numbers) => {
    const { stage, source } = await played({}, 3)
    expect((await stage.create(from(source, numbers))).status).toBe(400)
  })
})

describe('a body that cannot be used', () => {
  const nobody = '7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11'
  const rows: [string, object, (number | string)[]][] = [
    ['no format', { format: undefined }, [400, 'request.invalid']],
    ['an unknown format', { format: 'ladder' }, [400, 'request.invalid']],
    ['no name', { name: undefined }, [400, 'request.invalid']],
    ['an empty name', { name: '  ' }, [400, 'request.invalid']],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, [400, 'request.invalid']],
    ['no entrants', { entrants: undefined }, [400, 'request.invalid']],
    ['an unknown source', { entrants: { source: 'all' } }, [400, 'request.invalid']],
    ['size 1', { entrants: { source: 'registered', size: 1 } }, [400, 'request.invalid']],
    ['size 4097', { entrants: { source: 'registered', size: 4097 } }, [400, 'request.invalid']],
    ['manual without teams', { entrants: { source: 'manual' } }, [400, 'bracket.entrants_invalid']],
    ['manual with no team', { entrants: { source: 'manual', teamGuids: [] } }, [400, 'bracket.entrants_invalid']],
    ['a team that is no GUID', { entrants: { source: 'manual', teamGuids: ['t1', 't2'] } }, [400, 'request.invalid']],
    ['a bracket that is not said', { entrants: { source: 'bracket' } }, [400, 'bracket.entrants_invalid']],
    ['an even length', { settings: { bestOf: 4 } }, [400, 'bracket.settings_invalid']],
    ['length 0', { settings: { bestOf: 0 } }, [400, 'bracket.settings_invalid']],
    ['an unknown setting', { settings: { speed: 2 } }, [400, 'bracket.settings_invalid']],
    ['a setting of another format', { settings: { groups: 2 } }, [400, 'bracket.settings_invalid']],
    ['a round that cannot be', { settings: { bestOfByRound: { 'upper:0': 3 } } }, [400, 'bracket.settings_invalid']],
    ['a round of even length', { settings: { bestOfByRound: { 'upper:1': 2 } } }, [400, 'bracket.settings_invalid']],
    ['too many groups', { format: 'round_robin', settings: { groups: 3 } }, [400, 'bracket.settings_invalid']],
    ['three legs', { format: 'round_robin', settings: { legs: 3 } }, [400, 'bracket.settings_invalid']],
    ['no Swiss rounds', { format: 'swiss', settings: { rounds: 0 } }, [400, 'bracket.settings_invalid']],
    ['order 0', { order: 0 }, [400, 'request.invalid']],
  ]
  test.each(rows)('%s', async (_what, body, expected) => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    expect(outcome(await stage.create(body))).toEqual(expected)
    expect(await api.sql('select from brackets where tournament_guid = $1', [stage.cup.guid])).toEqual([])
  })

  test('teams that are not registered, that are not there or that stand twice', async () => {
    const stage = await makeStage(api, organiser, { teams: 3 })
    const elsewhere = await makeStage(api, organiser, { teams: 1 })
    await api.sql(`update teams set status = 'unregistered' where guid = $1`, [stage.teams[2]?.guid])
    const [t1, t2, t3] = stage.teams.map(({ guid }) => guid)
    const manual = async (...teamGuids: unknown[]) =>
      outcome(await stage.create({ entrants: { source: 'manual', teamGuids } }))
    expect(await manual(t1, t3)).toEqual([409, 'team.not_registered'])
    expect(await manual(t1, nobody)).toEqual([404, 'team.unknown'])
    expect(await manual(t1, elsewhere.teams[0]?.guid)).toEqual([404, 'team.unknown'])
    expect(await manual(t1, t2, t1?.toUpperCase())).toEqual([400, 'bracket.entrants_invalid'])
    expect(await manual(t1, t2)).toEqual([201, null])
  })

  test('fewer than two teams are 409', async () => {
    const stage = await makeStage(api, organiser, { teams: 1 })
    expect(outcome(await stage.create({}))).toEqual([409, 'bracket.too_few_teams'])
    expect(outcome(await stage.create({ entrants: { source: 'qualified' } }))).toEqual([409, 'bracket.too_few_teams'])
  })
})

test('with `dryRun` the answer is what would be made, and nothing is stored', async () => {
  const stage = await makeStage(api, organiser, { teams: 5 })
  const events = async () => (await api.sql('select from event_log where tournament = $1', [stage.cup.guid])).length
  const before = await events()
  const dry = await stage.create({ format: 'double_elimination' }, '?dryRun=true')
  expect(dry.status).toBe(201)
  expect(await api.sql('select from brackets where tournament_guid = $1', [stage.cup.guid])).toEqual([])
  expect(await api.sql('select from matches where tournament_guid = $1', [stage.cup.guid])).toEqual([])
  expect(await events()).toBe(before)
  expect(outcome(await api.get(`${stage.path}/brackets/${dry.body.guid}`))).toEqual([404, 'bracket.unknown'])
  const made = await stage.bracket({ format: 'double_elimination' })
  expect(pairs(dry.body.matches)).toEqual(pairs(made.matches))
  expect(dry.body.rounds.map(({ name }: Bracket) => name)).toEqual(made.rounds.map(({ name }: Bracket) => name))
  expect(outcome(await stage.create({ settings: { bestOf: 2 } }, '?dryRun=true'))).toEqual([
    400,
    'bracket.settings_invalid',
  ])
  expect(outcome(await stage.create({}, '?dryRun=maybe'))).toEqual([400, 'request.invalid'])
})

describe('how much a tournament holds', () => {
  test('at most 100 brackets', async () => {
    const stage = await makeStage(api, organiser, { teams: 2 })
    await stage.bracket()
    await api.sql(
      `insert into brackets (tournament_guid, division_guid, name, "order", format, settings, status, open)
       select tournament_guid, division_guid, name, "order", format, settings, status, open
       from brackets, generate_series(1, 98) where tournament_guid = $1`,
      [stage.cup.guid],
    )
    await stage.bracket()
    expect(outcome(await stage.create({}))).toEqual([409, 'bracket.too_many'])
  })

  test('a bracket of the largest kind, and at most 50,000 matches', async () => {
    const stage = await makeStage(api, organiser, { teams: 4096 })
    const bracket = await stage.bracket({ format: 'double_elimination' })
    expect(bracket.matches).toHaveLength(8191)
    expect(bracket.status).toBe('ready')
    const swiss = await stage.create({ format: 'swiss', settings: { rounds: 21 } }, '?dryRun=true')
    expect(outcome(swiss)).toEqual([409, 'bracket.too_many_matches'])
    expect(outcome(await stage.create({ format: 'swiss', settings: { rounds: 20 } }, '?dryRun=true'))).toEqual([
      201,
      null,
    ])
    expect(outcome(await stage.create({ format: 'round_robin' }, '?dryRun=true'))).toEqual([
      400,
      'bracket.settings_invalid',
    ])
  })
})
