import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type Bracket, type Match, makeStage, pairs, playOut, type Stage, win } from '../../../../test/stage.ts'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

const pair = (stage: Stage, bracket: Bracket) => api.post(`${stage.path}/brackets/${bracket.guid}/rounds`, organiser)
const ofRound = (bracket: Bracket, round: number): Match[] =>
  bracket.matches.filter((match: Match) => match.round === round)
const table = ({ standings }: Bracket) =>
  standings.map(({ rank, team, points, decidedBy }: Bracket) => [rank, team.id, points, decidedBy])

test('eight teams, from the first round to the table', async () => {
  const stage = await makeStage(api, organiser, { teams: 8 })
  const bracket = await stage.bracket({ format: 'swiss' })
  expect(bracket).toMatchObject({ status: 'ready', settings: { rounds: 3, byePoints: 3 } })
  expect(bracket.rounds.map(({ name, section, number }: Bracket) => [name, section, number])).toEqual([
    ['Round 1', 'swiss', 1],
  ])
  expect(pairs(bracket.matches)).toEqual(['t1 t5', 't2 t6', 't3 t7', 't4 t8'])
  await playOut(api, stage, bracket)

  const second = await pair(stage, bracket)
  expect(second.status).toBe(201)
  // Winners play winners and losers play losers: the upper half of each against its lower half.
  expect(pairs(ofRound(second.body, 2))).toEqual(['t1 t3', 't2 t4', 't5 t7', 't6 t8'])
  expect(ofRound(second.body, 2).map(({ number }) => number)).toEqual([5, 6, 7, 8])
  expect(ofRound(second.body, 2).map(({ pairing }) => [pairing.group, pairing.floated])).toEqual([
    [3, false],
    [3, false],
    [0, false],
    [0, false],
  ])
  expect(second.body).toMatchObject({ status: 'running', revision: expect.any(Number) })
  expect(await stage.read(bracket)).toEqual(second.body)
  const [event] = await api.sql(
    'select type, subject, before, after from event_log where tournament = $1 order by seq desc limit 1',
    [stage.cup.guid],
  )
  expect(event).toEqual({
    type: 'bracket.round_paired',
    subject: bracket.guid,
    before: { rounds: 1 },
    after: { rounds: 2, matches: 4 },
  })
  expect((await playOut(api, stage, bracket)).status).toBe('running')

  const { body: third } = await pair(stage, bracket)
  expect(pairs(ofRound(third, 3))).toEqual(['t1 t2', 't3 t5', 't4 t6', 't7 t8'])
  const done = await playOut(api, stage, bracket)
  expect(done.status).toBe('completed')
  expect(table(done)).toEqual([
    [1, 't1', 9, null],
    [2, 't2', 6, 'points'],
    [3, 't3', 6, 'median_buchholz'],
    [4, 't4', 6, 'buchholz'],
    [5, 't5', 3, 'points'],
    [6, 't6', 3, 'buchholz'],
    [7, 't7', 3, 'median_buchholz'],
    [8, 't8', 0, 'points'],
  ])
  expect(done.standings[2]).toMatchObject({
    seed: 3,
    groupIndex: null,
    played: 3,
    won: 2,
    drawn: 0,
    lost: 1,
    gamesWon: 4,
    gamesLost: 2,
    // The opponents were t7, t1 and t5, with 3, 9 and 3 points.
    tieBreaks: [
      { name: 'median_buchholz', value: 3 },
      { name: 'buchholz', value: 15 },
      { name: 'game_difference', value: 2 },
      { name: 'seed', value: 3 },
    ],
  })
  expect(outcome(await pair(stage, bracket))).toEqual([409, 'bracket.rounds_complete'])
})

test('a walkover is worth the own points in tie-breaks, unless the match had begun, also when it is corrected', async () => {
  const stage = await makeStage(api, organiser, { teams: 4 })
  const bracket = await stage.bracket({ format: 'swiss', settings: { rounds: 1, tieBreakers: ['points', 'buchholz'] } })
  expect(pairs(bracket.matches)).toEqual(['t1 t3', 't2 t4'])
  const [first, second] = bracket.matches.map(({ guid }: Match) => `${stage.path}/matches/${guid}`)
  const entries = async () => {
    const { standings } = await stage.read(bracket)
    return standings.map(({ team, points, tieBreaks }: Bracket) => [team.id, points, tieBreaks[0].value])
  }
  expect((await api.put(`${first}/result`, organiser, { outcome: 'walkover', winner: 1 })).status).toBe(200)
  expect(await entries()).toContainEqual(['t1', 3, 0])
  expect((await api.post(`${second}/start`, organiser)).status).toBe(200)
  expect((await api.put(`${second}/result`, organiser, { outcome: 'walkover', winner: 1 })).status).toBe(200)
  const rows = [
    ['t1', 3, 3],
    ['t4', 0, 3],
    ['t2', 3, 0],
    ['t3', 0, 0],
  ]
  expect((await entries()).toSorted()).toEqual(rows.toSorted())
  for (const [match, winner] of [
    [first, 2],
    [second, 2],
    [first, 1],
    [second, 1],
  ]) {
    const { revision } = await stage.read(bracket)
    const corrected = await api.put(`${match}/result`, organiser, { outcome: 'walkover', winner, revision })
    expect(corrected.status).toBe(200)
  }
  expect((await entries()).toSorted()).toEqual(rows.toSorted())
})

test('nine teams: everybody plays or sits out once a round, nobody twice against the same or without a game', async () => {
  const stage = await makeStage(api, organiser, { teams: 9 })
  const bracket = await stage.bracket({ format: 'swiss' })
  expect(bracket.settings.rounds).toBe(4)
  expect(pairs(bracket.matches)).toEqual(['t1 t5', 't2 t6', 't3 t7', 't4 t8', 't9 bye'])
  expect(bracket.matches[4]).toMatchObject({
    status: 'completed',
    outcome: 'bye',
    sides: [
      { team: { id: 't9' }, result: 'win' },
      { team: null, bye: true, result: null },
    ],
  })
  expect(bracket.standings[0]).toMatchObject({ rank: 1, team: { id: 't9' }, points: 3, played: 0, won: 0 })
  for (let round = 2; round <= 4; round += 1) {
    await playOut(api, stage, bracket)
    expect((await pair(stage, bracket)).status).toBe(201)
  }
  const done = await playOut(api, stage, bracket)
  expect(done.status).toBe('completed')
  const met = new Set<string>()
  const satOut: string[] = []
  for (let round = 1; round <= 4; round += 1) {
    const there = ofRound(done, round).flatMap(({ sides }) => sides.flatMap(({ team }: Match) => team?.id ?? []))
    expect(there.toSorted()).toEqual(['t1', 't2', 't3', 't4', 't5', 't6', 't7', 't8', 't9'])
    for (const match of ofRound(done, round)) {
      const ids = match.sides.map(({ team }: Match) => team?.id ?? 'bye')
      expect(match.pairing.reason).toMatch(/^[A-Z].*\.$/)
      if (ids.includes('bye')) satOut.push(ids[0])
      else met.add(ids.toSorted().join(' '))
    }
  }
  expect(met.size).toBe(16)
  expect(new Set(satOut).size).toBe(4)
  // A win or a bye gives three points in each of the 20 matches.
  expect(done.standings.reduce((sum: number, { points }: Bracket) => sum + points, 0)).toBe(60)
  expect(done.matches.map(({ number }: Match) => number)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
})

test('numbers go on behind other brackets of the division', async () => {
  const stage = await makeStage(api, organiser, { teams: 4 })
  const bracket = await stage.bracket({ format: 'swiss' })
  const other = await stage.bracket()
  await playOut(api, stage, bracket)
  const { body } = await pair(stage, bracket)
  expect(other.matches.map(({ number }: Match) => number)).toEqual([3, 4, 5])
  expect(body.matches.map(({ number }: Match) => number)).toEqual([1, 2, 6, 7])
})

test('a team that has left is not paired any more, and one alone sits out', async () => {
  const stage = await makeStage(api, organiser, { teams: 4 })
  const bracket = await stage.bracket({ format: 'swiss' })
  await playOut(api, stage, bracket)
  await api.post(`${stage.path}/teams/t2/withdraw`, organiser, { reason: 'ill', policy: 'walkover' })
  const { body } = await pair(stage, bracket)
  const second = ofRound(body, 2)
  expect(second).toHaveLength(2)
  expect(second.flatMap(({ sides }) => sides.map(({ team }: Match) => team?.id ?? 'bye')).toSorted()).toEqual([
    'bye',
    't1',
    't3',
    't4',
  ])
})

describe('no next round', () => {
  test('while a match of the current one is open, even one that is taken up again', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const bracket = await stage.bracket({ format: 'swiss' })
    expect(outcome(await pair(stage, bracket))).toEqual([409, 'bracket.round_open'])
    await win(api, stage, bracket.matches[0], 1)
    expect(outcome(await pair(stage, bracket))).toEqual([409, 'bracket.round_open'])
    await win(api, stage, bracket.matches[1], 1)
    const { revision } = await stage.read(bracket)
    const match = `${stage.path}/matches/${bracket.matches[0].guid}`
    expect((await api.post(`${match}/reopen`, organiser, { reason: 'wrong map', revision })).status).toBe(200)
    expect(outcome(await pair(stage, bracket))).toEqual([409, 'bracket.round_open'])
    await win(api, stage, bracket.matches[0], 2)
    expect(outcome(await pair(stage, bracket))).toEqual([201, null])
    expect(outcome(await pair(stage, bracket))).toEqual([409, 'bracket.round_open'])
  })

  test.each(['single_elimination', 'double_elimination', 'round_robin'])('in a bracket of %s', async (format) => {
    const stage = await makeStage(api, organiser, { teams: 2 })
    const bracket = await stage.bracket({ format })
    expect(outcome(await pair(stage, bracket))).toEqual([409, 'bracket.not_swiss'])
  })

  test('in a draft', async () => {
    const stage = await makeStage(api, organiser, { teams: 2 })
    const teamGuids = stage.teams.map(({ guid }) => guid)
    const bracket = await stage.bracket({ format: 'swiss', entrants: { source: 'manual', teamGuids, size: 4 } })
    expect(outcome(await pair(stage, bracket))).toEqual([409, 'bracket.draft'])
  })

  test('after which the places of the first one can change', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const bracket = await stage.bracket({ format: 'swiss' })
    await playOut(api, stage, bracket)
    await pair(stage, bracket)
    const reply = await api.put(`${stage.path}/brackets/${bracket.guid}/entrants`, organiser, {
      entrants: [{ slot: 1, teamGuid: null }],
    })
    expect(outcome(reply)).toEqual([409, 'bracket.played'])
  })
})
