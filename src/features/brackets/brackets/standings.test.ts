import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { type Bracket, type Match, makeStage, pairs, playOut, type Stage, win } from '../../../../test/stage.ts'
import { listPlacements } from './queries.ts'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

const ranks = (bracket: Bracket) => bracket.standings.map(({ rank, team }: Bracket) => `${rank} ${team.id}`)
const match = (bracket: Bracket, section: string, round: number, index = 0): Match =>
  bracket.matches.filter((each: Match) => each.section === section && each.round === round)[index]

/** The standings without signing in. */
async function standings(stage: Stage, bracket: Bracket): Promise<Bracket> {
  const reply = await api.get(`${stage.path}/brackets/${bracket.guid}/standings`)
  expect([reply.status, Object.keys(reply.body)]).toEqual([200, ['standings']])
  return reply.body
}

describe('single elimination', () => {
  test('ranks by the round of the loss, shared', async () => {
    const stage = await makeStage(api, organiser, { teams: 8 })
    const bracket = await stage.bracket()
    expect(ranks(bracket)).toEqual(['1 t1', '1 t2', '1 t3', '1 t4', '1 t5', '1 t6', '1 t7', '1 t8'])
    const done = await playOut(api, stage, bracket)
    expect(done.status).toBe('completed')
    expect(ranks(done)).toEqual(['1 t1', '2 t2', '3 t3', '3 t4', '5 t5', '5 t6', '5 t7', '5 t8'])
    expect((await standings(stage, bracket)).standings).toEqual(done.standings)
    expect(done.standings[1]).toEqual({
      rank: 2,
      seed: 2,
      groupIndex: null,
      played: 3,
      won: 2,
      drawn: 0,
      lost: 1,
      gamesWon: 4,
      gamesLost: 2,
      points: 2,
      tieBreaks: [],
      decidedBy: null,
      tied: false,
      team: { guid: stage.teams[1]?.guid, id: 't2', name: 'Team 2', imageUrl: null, color: null },
    })
  })

  test('a match for the third place tells third and fourth apart', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const bracket = await stage.bracket({ settings: { thirdPlace: true } })
    expect(bracket.rounds.map(({ name }: Bracket) => name)).toEqual(['Semi-finals', 'Third place', 'Final'])
    const done = await playOut(api, stage, bracket)
    expect(ranks(done)).toEqual(['1 t1', '2 t2', '3 t3', '4 t4'])
  })

  test('byes go to the best, and are no matches played', async () => {
    const stage = await makeStage(api, organiser, { teams: 5 })
    const bracket = await stage.bracket()
    expect(pairs(bracket.matches)).toEqual(['t1 bye', 't4 t5', 't2 bye', 't3 bye', 't1 -', 't2 t3', '- -'])
    expect(bracket.matches.map(({ status }: Match) => status)).toEqual([
      ...['completed', 'ready', 'completed', 'completed'],
      ...['waiting', 'ready', 'locked'],
    ])
    expect(bracket.matches[5].sides.map(({ from }: Match) => from)).toEqual([
      { matchGuid: bracket.matches[2].guid, number: 3, outcome: 'winner' },
      { matchGuid: bracket.matches[3].guid, number: 4, outcome: 'winner' },
    ])
    const done = await playOut(api, stage, bracket)
    expect(done.standings.map(({ team, played }: Bracket) => [team.id, played])).toEqual([
      ['t1', 2],
      ['t2', 2],
      ['t3', 1],
      ['t4', 2],
      ['t5', 1],
    ])
  })
})

describe('double elimination', () => {
  test('six teams: byes on both sides of it, and no early rematch', async () => {
    const stage = await makeStage(api, organiser, { teams: 6 })
    const bracket = await stage.bracket({ format: 'double_elimination' })
    const round = (whole: Bracket, section: string, number: number) =>
      pairs(whole.matches.filter((each: Match) => each.section === section && each.round === number))
    expect(round(bracket, 'upper', 1)).toEqual(['t1 bye', 't4 t5', 't2 bye', 't3 t6'])
    expect(round(bracket, 'upper', 2)).toEqual(['t1 -', 't2 -'])
    expect(round(bracket, 'lower', 1)).toEqual(['bye -', 'bye -'])
    const done = await playOut(api, stage, bracket)
    expect(round(done, 'lower', 1)).toEqual(['bye t5', 'bye t6'])
    expect(round(done, 'lower', 2).toSorted()).toEqual(['t3 t5', 't4 t6'])
    expect(ranks(done)).toEqual(['1 t1', '2 t2', '3 t3', '4 t4', '5 t5', '5 t6'])
    expect(match(done, 'final', 2)).toMatchObject({ status: 'cancelled', conditional: true, outcome: null })
    expect(done.status).toBe('completed')
  })

  test('the reset is played when the lower bracket’s team wins the final', async () => {
    const stage = await makeStage(api, organiser, { teams: 2 })
    const bracket = await stage.bracket({ format: 'double_elimination' })
    expect(bracket.rounds.map(({ name }: Bracket) => name)).toEqual(['Upper final', 'Grand final', 'Grand final reset'])
    await win(api, stage, match(bracket, 'upper', 1), 1)
    await win(api, stage, match(bracket, 'final', 1), 2)
    const open = await stage.read(bracket)
    expect(match(open, 'final', 2)).toMatchObject({ status: 'ready' })
    expect(pairs([match(open, 'final', 2)])).toEqual(['t1 t2'])
    expect([open.status, ...ranks(open)]).toEqual(['running', '1 t1', '1 t2'])
    await win(api, stage, match(bracket, 'final', 2), 2)
    const done = await stage.read(bracket)
    expect([done.status, ...ranks(done)]).toEqual(['completed', '1 t2', '2 t1'])
  })

  test('without a grand final the upper bracket has the first and the lower one the second', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const bracket = await stage.bracket({ format: 'double_elimination', settings: { grandFinal: 'none' } })
    expect(bracket.rounds.some(({ section }: Bracket) => section === 'final')).toBe(false)
    expect(ranks(await playOut(api, stage, bracket))).toEqual(['1 t1', '2 t2', '3 t3', '4 t4'])
  })
})

describe('round robin', () => {
  test('three teams in a circle, told apart by their games', async () => {
    const stage = await makeStage(api, organiser, { teams: 3 })
    const bracket = await stage.bracket({ format: 'round_robin' })
    expect(bracket.settings).toMatchObject({
      groups: 1,
      legs: 1,
      distribution: 'snake',
      points: { win: 3, draw: 1, loss: 0 },
      allowDraws: false,
      tieBreakers: ['points', 'head_to_head', 'game_difference', 'games_won', 'seed'],
    })
    // t1 beats t2 2:0, t2 beats t3 2:0, t3 beats t1 2:1.
    const beats: Record<string, [string, number, number]> = {
      't1 t2': ['t1', 2, 0],
      't2 t3': ['t2', 2, 0],
      't1 t3': ['t3', 2, 1],
    }
    for (const each of bracket.matches) {
      const ids: string[] = each.sides.map(({ team }: Match) => team.id)
      const [winner, most, least] = beats[ids.toSorted().join(' ')] ?? ['', 0, 0]
      const first = ids[0] === winner
      await win(api, stage, each, first ? 1 : 2, first ? [most, least] : [least, most])
    }
    const done = await stage.read(bracket)
    expect(done.status).toBe('completed')
    const row = (bracketRow: Bracket) => {
      const { rank, team, won, lost, gamesWon, gamesLost, points, decidedBy } = bracketRow
      return [rank, team.id, won, lost, gamesWon, gamesLost, points, decidedBy]
    }
    expect(done.standings.map(row)).toEqual([
      [1, 't1', 1, 1, 3, 2, 3, null],
      [2, 't2', 1, 1, 2, 2, 3, 'game_difference'],
      [3, 't3', 1, 1, 2, 3, 3, 'game_difference'],
    ])
    expect(done.standings[0].tieBreaks).toEqual([
      { name: 'head_to_head', value: 3 },
      { name: 'game_difference', value: 1 },
      { name: 'games_won', value: 3 },
      { name: 'seed', value: 1 },
    ])
  })

  test('each group has a table of its own; two legs are twice as many matches', async () => {
    const stage = await makeStage(api, organiser, { teams: 8 })
    const bracket = await stage.bracket({ format: 'round_robin', settings: { groups: 2, legs: 2 } })
    expect(bracket.matches).toHaveLength(24)
    const done = await playOut(api, stage, bracket)
    expect(
      done.standings.map(({ groupIndex, rank, team, points }: Bracket) => [groupIndex, rank, team.id, points]),
    ).toEqual([
      [0, 1, 't1', 18],
      [0, 2, 't4', 12],
      [0, 3, 't5', 6],
      [0, 4, 't8', 0],
      [1, 1, 't2', 18],
      [1, 2, 't3', 12],
      [1, 3, 't6', 6],
      [1, 4, 't7', 0],
    ])
    expect(done.matches.every(({ section }: Match) => section === 'group')).toBe(true)
  })

  test('draws count where they are allowed', async () => {
    const stage = await makeStage(api, organiser, { teams: 2 })
    const bracket = await stage.bracket({ format: 'round_robin', settings: { allowDraws: true } })
    const reply = await api.put(`${stage.path}/matches/${bracket.matches[0].guid}/result`, organiser, {
      outcome: 'draw',
      scores: [1, 1],
    })
    expect(reply.status).toBe(200)
    const { standings: rows } = await standings(stage, bracket)
    expect(rows.map(({ drawn, points }: Bracket) => [drawn, points])).toEqual([
      [1, 1],
      [1, 1],
    ])
  })
})

describe('placements of the tournament', () => {
  const placements = async (stage: Stage) => {
    const ids = new Map(stage.teams.map(({ guid, id }) => [guid, id]))
    const placed = await listPlacements(api.app.database.db, stage.cup.guid)
    return placed.map(({ place, teamGuid }) => `${place} ${ids.get(teamGuid)}`)
  }

  test('come from the last completed bracket, then from those before it', async () => {
    const stage = await makeStage(api, organiser, { teams: 8 })
    expect(await placements(stage)).toEqual([])
    const groups = await stage.bracket({ name: 'Groups', format: 'round_robin', settings: { groups: 2 } })
    expect(await placements(stage)).toEqual([])
    await playOut(api, stage, groups)
    expect(await placements(stage)).toEqual(['1 t1', '1 t2', '3 t4', '3 t3', '5 t5', '5 t6', '7 t8', '7 t7'])
    const playoffs = await stage.bracket({
      entrants: { source: 'bracket', from: { bracketGuid: groups.guid, places: [1, 2] } },
    })
    await playOut(api, stage, playoffs)
    // The groups' places gave the order t1, t2, t4, t3, so the fourth team is seeded after the third.
    expect(await placements(stage)).toEqual(['1 t1', '2 t2', '3 t4', '3 t3', '5 t5', '5 t6', '7 t8', '7 t7'])
  })

  test('a division after the first one does not place', async () => {
    const stage = await makeStage(api, organiser, { teams: 2 })
    await api.post(`${stage.path}/divisions`, organiser, { name: 'B' })
    const made = await api.post(`${stage.path}/divisions/b/brackets`, organiser, {
      name: 'B',
      format: 'single_elimination',
      entrants: { source: 'registered' },
    })
    await playOut(api, stage, made.body)
    expect(await placements(stage)).toEqual([])
  })

  test('a tournament that is completed shows them', async () => {
    const stage = await makeStage(api, organiser, { teams: 4, status: 'ongoing' })
    await playOut(api, stage, await stage.bracket())
    const { body } = await api.post(`${stage.path}/status`, organiser, { status: 'completed' })
    expect(body.placements.map(({ place, team }: Bracket) => `${place} ${team.id}`)).toEqual([
      '1 t1',
      '2 t2',
      '3 t3',
      '3 t4',
    ])
  })
})
