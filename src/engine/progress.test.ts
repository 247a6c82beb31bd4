import { describe, expect, test } from 'vitest'
import { Bracket, double, duel, four, planOf, refusal, shape, short } from '../../test/engine/brackets.ts'
import { apply, settle } from './progress.ts'
import type { Match, Side } from './types.ts'

function sideOf(values: Partial<Side>): Side {
  return { slot: null, from: null, bye: false, team: null, empty: false, score: null, result: null, ...values }
}

describe('a fresh bracket', () => {
  test('with four teams has two ready matches, and locked ones behind them', () => {
    expect(
      four()
        .list()
        .map(({ status }) => status),
    ).toEqual(['ready', 'ready', 'locked', 'locked'])
  })

  test('with three teams completes the bye of the top seed at once, who waits in the final', () => {
    const bracket = Bracket.of(shape('single_elimination', 3))
    expect(short(bracket.match(1))).toEqual({
      status: 'completed',
      outcome: 'bye',
      scores: [null, null],
      results: ['win', null],
    })
    expect(bracket.teams(3)).toEqual(['t1', null])
    expect(bracket.match(3).status).toBe('waiting')
  })

  test('lets a loser pass the byes of the lower bracket as soon as they drop', () => {
    const bracket = Bracket.of(shape('double_elimination', 5))
    const [played] = bracket.open()
    if (played?.loserTo == null) throw new Error('No match drops a loser.')
    expect(played.sides.map(({ team }) => team)).toEqual(['t4', 't5'])
    expect(bracket.match(played.loserTo.match).status).toBe('locked')
    bracket.win(played.number, 0)
    const bye = bracket.match(played.loserTo.match)
    expect([bye.status, bye.outcome]).toEqual(['completed', 'bye'])
    const next = bracket.match(bye.winnerTo?.match ?? 0)
    expect(next.sides.map(({ team }) => team)).toContain('t5')
  })

  test('takes the teams of its sides from the list of entrants', () => {
    const plan = planOf(shape('single_elimination', 2))
    const free = { ...plan, entrants: plan.entrants.map((entrant) => ({ ...entrant, team: null })) }
    const [match] = settle(free, { withdrawn: new Map() })
    expect(match?.sides.map(({ team }) => team)).toEqual([null, null])
    expect(match?.status).toBe('locked')
  })

  test('gives the matches of teams that have left already to the others', () => {
    const [match] = settle(planOf(shape('single_elimination', 2)), { withdrawn: new Map([['t1', 'walkover']]) })
    expect(match && short(match)).toMatchObject({ outcome: 'walkover', results: ['forfeit', 'win'] })
  })

  test('completes the bye of a Swiss round', () => {
    const plan = planOf(shape('round_robin', 2))
    const pair = plan.matches[0]
    if (pair === undefined) throw new Error('Two teams meet once.')
    const bye: Match = {
      ...pair,
      section: 'swiss',
      sides: [sideOf({ team: 't3' }), sideOf({ bye: true, empty: true })],
    }
    const [match] = settle({ ...plan, matches: [bye] }, { withdrawn: new Map() })
    expect(match && short(match)).toMatchObject({ status: 'completed', outcome: 'bye', results: ['win', null] })
  })
})

describe('walkovers and double forfeits', () => {
  test('a walkover sends its loser down like any other', () => {
    const bracket = double()
    bracket.result(1, { outcome: 'walkover', winner: 1 })
    expect(short(bracket.match(1))).toEqual({
      status: 'completed',
      outcome: 'walkover',
      scores: [null, null],
      results: ['forfeit', 'win'],
    })
    expect([bracket.teams(3), bracket.teams(4)]).toEqual([
      ['t4', null],
      ['t1', null],
    ])
  })

  test('after a double forfeit whoever comes next wins by walkover, above and below', () => {
    const bracket = double()
    bracket.result(1, { outcome: 'double_forfeit' })
    expect(short(bracket.match(1)).results).toEqual(['forfeit', 'forfeit'])
    expect([bracket.match(3).status, bracket.match(4).status]).toEqual(['locked', 'locked'])
    bracket.win(2, 0)
    expect(short(bracket.match(3))).toMatchObject({ outcome: 'walkover', results: ['forfeit', 'win'] })
    expect(short(bracket.match(4))).toMatchObject({ outcome: 'walkover', results: ['forfeit', 'win'] })
    expect(short(bracket.match(5))).toMatchObject({ outcome: 'walkover' })
    expect(bracket.teams(6)).toEqual(['t2', 't3'])
    expect(bracket.match(6).status).toBe('ready')
  })

  test('two double forfeits leave nobody, and every match behind them is cancelled', () => {
    const bracket = four()
    bracket.result(1, { outcome: 'double_forfeit' })
    bracket.result(2, { outcome: 'double_forfeit' })
    expect(bracket.list().map(({ status }) => status)).toEqual(['completed', 'completed', 'cancelled', 'cancelled'])
    expect(bracket.match(4).sides.every(({ empty }) => empty)).toBe(true)
    expect(refusal(() => bracket.win(4, 0))).toBe('conflict match.cancelled')
    bracket.win(1, 0)
    expect(short(bracket.match(4))).toMatchObject({ outcome: 'walkover', results: ['win', 'forfeit'] })
  })
})

describe('the reset of a final', () => {
  const untilFinal = () => {
    const bracket = double()
    for (const number of [1, 2, 3, 4, 5]) bracket.win(number, 0)
    expect([bracket.teams(6), bracket.match(7).status]).toEqual([['t1', 't2'], 'locked'])
    return bracket
  }

  test('is cancelled, and empty, when the team of the upper bracket wins', () => {
    const bracket = untilFinal()
    bracket.win(6, 0)
    expect(bracket.match(7)).toMatchObject({ status: 'cancelled', outcome: null })
    expect(bracket.teams(7)).toEqual([null, null])
  })

  test('is played when the team of the lower bracket wins, with the sides as in the final', () => {
    const bracket = untilFinal()
    bracket.win(6, 1)
    expect([bracket.teams(7), bracket.match(7).status]).toEqual([['t1', 't2'], 'ready'])
  })

  test('is cancelled when nobody wins the final', () => {
    const bracket = untilFinal()
    bracket.result(6, { outcome: 'double_forfeit' })
    expect(bracket.match(7).status).toBe('cancelled')
  })

  test('is not needed when nobody came out of the upper bracket', () => {
    const bracket = double()
    for (const number of [1, 2]) bracket.win(number, 0)
    bracket.result(3, { outcome: 'double_forfeit' })
    bracket.win(4, 0)
    expect(bracket.match(6)).toMatchObject({ status: 'completed', outcome: 'walkover' })
    expect(bracket.match(7)).toMatchObject({ status: 'cancelled', outcome: null })
  })

  test('comes and goes with corrections of the final, and loses its result with them', () => {
    const bracket = untilFinal()
    bracket.win(6, 1)
    bracket.win(7, 1)
    bracket.win(6, 0)
    expect(bracket.match(7)).toMatchObject({ status: 'cancelled', decision: null, started: false })
    bracket.win(6, 1)
    expect(bracket.match(7).status).toBe('ready')
  })

  test('keeps its result when only the score of the final is corrected', () => {
    const bracket = untilFinal()
    bracket.win(6, 1)
    bracket.win(7, 0)
    const { after } = bracket.result(6, { outcome: 'score', winner: 1, scores: [1, 2] })
    expect(after.map(({ number }) => number)).toEqual([6])
    expect(bracket.match(7).status).toBe('completed')
  })

  test('between two teams alone swaps its sides when the first match is corrected', () => {
    const bracket = Bracket.of(shape('double_elimination', 2))
    for (const [number, winner] of [
      [1, 0],
      [2, 1],
      [3, 0],
    ] as const)
      bracket.win(number, winner)
    expect(bracket.list().every(({ status }) => status === 'completed')).toBe(true)
    bracket.win(1, 1)
    expect([bracket.teams(2), bracket.match(2).status]).toEqual([['t2', 't1'], 'ready'])
    expect([bracket.teams(3), bracket.match(3).status]).toEqual([[null, null], 'locked'])
  })

  test('follows the side that won even where the winner stays the same', () => {
    const bracket = Bracket.of(shape('double_elimination', 2))
    bracket.withdraw('t2')
    expect(bracket.list().map(({ status }) => status)).toEqual(['completed', 'completed', 'cancelled'])
    bracket.win(1, 1)
    expect(bracket.teams(2)).toEqual(['t2', 't1'])
    expect(short(bracket.match(2))).toMatchObject({ outcome: 'walkover', results: ['forfeit', 'win'] })
    expect(short(bracket.match(3))).toMatchObject({ outcome: 'walkover', results: ['forfeit', 'win'] })
  })
})

describe('corrections', () => {
  test('put the right winner and loser into the next matches, whose results are gone', () => {
    const bracket = four()
    bracket.win(1, 0)
    bracket.win(2, 0)
    bracket.game(4, 1, 0)
    bracket.win(3, 1)
    const { after } = bracket.win(1, 1)
    expect(after.map(({ number }) => number)).toEqual([1, 3, 4])
    expect([bracket.teams(3), bracket.teams(4)]).toEqual([
      ['t1', 't3'],
      ['t4', 't2'],
    ])
    expect(bracket.match(3)).toMatchObject({ status: 'ready', decision: null, started: false })
    expect(bracket.match(4)).toMatchObject({ status: 'ready', games: [], started: false })
  })

  test('of a score alone touch nothing else', () => {
    const bracket = four()
    bracket.win(1, 0)
    bracket.win(2, 0)
    bracket.win(4, 0)
    expect(
      bracket.result(1, { outcome: 'score', winner: 0, scores: [2, 1] }).after.map(({ number }) => number),
    ).toEqual([1])
  })

  test('leave results that both teams still have to their name', () => {
    const bracket = Bracket.of(shape('single_elimination', 8))
    for (const number of [1, 2, 3, 4, 5, 6, 7]) bracket.win(number, 0)
    expect(bracket.win(1, 1).after.map(({ number }) => number)).toEqual([1, 5, 7])
    expect(bracket.match(6).status).toBe('completed')
    expect(bracket.match(7)).toMatchObject({ status: 'waiting', decision: null })
  })

  test('turn a walkover against nobody back into a match when somebody comes', () => {
    const bracket = four()
    bracket.result(1, { outcome: 'double_forfeit' })
    bracket.win(2, 0)
    expect(bracket.match(4).outcome).toBe('walkover')
    bracket.win(1, 0)
    expect(bracket.match(4)).toMatchObject({ status: 'ready', outcome: null })
    expect(bracket.match(4).sides.map(({ result }) => result)).toEqual([null, null])
  })
})

describe('reopening', () => {
  test('keeps the games, drops the decision, and takes the teams out of the next matches', () => {
    const bracket = four()
    bracket.game(1, 1, 0)
    bracket.win(1, 0)
    bracket.make({ kind: 'reopen', match: 1 })
    expect(bracket.match(1)).toMatchObject({ status: 'running', decision: null, reopened: true, outcome: null })
    expect(bracket.match(1).games).toHaveLength(1)
    expect(bracket.teams(4)).toEqual([null, null])
    expect(bracket.match(4).status).toBe('locked')
  })

  test('lasts until a game, a removal or a result, whatever the games say', () => {
    const decided = () => {
      const bracket = duel()
      bracket.game(1, 1, 0)
      bracket.game(1, 2, 0)
      bracket.make({ kind: 'reopen', match: 1 })
      expect(short(bracket.match(1))).toMatchObject({ status: 'running', scores: [2, 0] })
      return bracket
    }
    expect(refusal(() => decided().game(1, 3, 1))).toBe('conflict game.not_needed')
    const edited = decided()
    edited.game(1, 2, 1)
    expect(edited.match(1)).toMatchObject({ status: 'running', reopened: false })
    edited.game(1, 3, 0)
    expect(edited.match(1).status).toBe('completed')
    const removed = decided()
    removed.make({ kind: 'remove_game', match: 1, number: 2 })
    expect(removed.match(1)).toMatchObject({ status: 'running', reopened: false })
    const settled = decided()
    settled.win(1, 0)
    expect(settled.match(1)).toMatchObject({ status: 'completed', reopened: false })
  })

  test('takes a completed match alone, and none whose team has left', () => {
    const bracket = four()
    expect(refusal(() => bracket.make({ kind: 'reopen', match: 1 }))).toBe('conflict match.not_completed')
    bracket.win(1, 0)
    bracket.withdraw('t1')
    expect(refusal(() => bracket.make({ kind: 'reopen', match: 1 }))).toBe('conflict match.team_withdrawn')
    expect(refusal(() => bracket.win(1, 1))).toBe('accepted')
  })
})

describe('withdrawal', () => {
  test('leaves what was played, and gives open matches to the others', () => {
    const bracket = double()
    bracket.win(1, 0)
    bracket.game(2, 1, 0)
    bracket.withdraw('t1')
    expect(bracket.match(1)).toMatchObject({ status: 'completed', outcome: 'score' })
    expect(bracket.match(3).status).toBe('waiting')
    bracket.win(2, 0)
    expect(short(bracket.match(3))).toMatchObject({ outcome: 'walkover', results: ['forfeit', 'win'] })
    expect(bracket.match(3)).toMatchObject({ decision: null, started: false })
    bracket.win(4, 0)
    expect(short(bracket.match(5))).toMatchObject({ outcome: 'walkover', results: ['forfeit', 'win'] })
    expect(bracket.teams(6)).toEqual(['t2', 't4'])
  })

  test('keeps the games of a match that was running', () => {
    const bracket = duel()
    bracket.game(1, 1, 0)
    bracket.withdraw('t1')
    expect(bracket.match(1).games).toHaveLength(1)
    expect(short(bracket.match(1))).toEqual({
      status: 'completed',
      outcome: 'walkover',
      scores: [1, 0],
      results: ['forfeit', 'win'],
    })
  })

  test('of both teams before they meet is a double forfeit', () => {
    const bracket = four()
    bracket.win(1, 0)
    bracket.withdraw('t1')
    bracket.withdraw('t2')
    expect(short(bracket.match(2))).toMatchObject({ outcome: 'walkover', results: ['forfeit', 'win'] })
    expect(short(bracket.match(4))).toMatchObject({ outcome: 'walkover', results: ['forfeit', 'win'] })
    bracket.win(2, 0)
    expect(short(bracket.match(4))).toMatchObject({ outcome: 'double_forfeit', results: ['forfeit', 'forfeit'] })
    const gone = new Map([['t1', 'walkover'] as const, ['t2', 'walkover'] as const])
    const [match] = settle(planOf(shape('single_elimination', 2)), { withdrawn: gone })
    expect(match?.outcome).toBe('double_forfeit')
  })

  test('never takes a walkover back from a team that leaves later, with all that was played since', () => {
    const bracket = four()
    bracket.withdraw('t4')
    bracket.win(2, 0)
    bracket.win(4, 0)
    const played = bracket.match(4)
    bracket.withdraw('t1')
    expect(short(bracket.match(1))).toMatchObject({ outcome: 'walkover', results: ['win', 'forfeit'] })
    expect(bracket.match(4)).toEqual(played)
  })

  test('can be overruled by a result that was played after all', () => {
    const bracket = four()
    bracket.withdraw('t1')
    bracket.result(1, { outcome: 'score', winner: 0, scores: [2, 0] })
    expect(bracket.match(1)).toMatchObject({ status: 'completed', outcome: 'score' })
    expect(bracket.teams(4)[0]).toBe('t1')
  })

  test('may void results in tables alone', () => {
    expect(refusal(() => four().withdraw('t1', 'void'))).toBe('invalid withdrawal.void_not_possible')
    const table = Bracket.of(shape('round_robin', 4))
    table.win(1, 0)
    table.withdraw('t1', 'void')
    const own = table.list().filter(({ sides }) => sides.some(({ team }) => team === 't1'))
    expect(own).toHaveLength(3)
    expect(own.every(({ status }) => status === 'completed')).toBe(true)
    expect(own.filter(({ outcome }) => outcome === 'walkover')).toHaveLength(2)
    expect(table.withdraw('t1', 'void').after).toEqual([])
  })
})

test('a change never alters what it was given', () => {
  const bracket = double()
  const freeze = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    Object.freeze(value)
    Object.values(value).forEach(freeze)
  }
  bracket.list().forEach(freeze)
  expect(apply(bracket.board, { kind: 'result', match: 1, decision: { outcome: 'walkover', winner: 0 } })).toHaveLength(
    3,
  )
})
