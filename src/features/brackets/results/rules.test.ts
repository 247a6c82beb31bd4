import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../../test/problems.ts'
import {
  checkPlaced,
  checkPlayers,
  checkSeen,
  type GameInput,
  isCorrection,
  loggedChange,
  type ResultInput,
  readDecision,
  readGame,
  readNumber,
} from './rules.ts'

describe('what a result says', () => {
  test.each<[ResultInput, object]>([
    [
      { outcome: 'score', winner: 1 },
      { outcome: 'score', winner: 0, scores: null },
    ],
    [
      { outcome: 'score', winner: 2, scores: [0, 2] },
      { outcome: 'score', winner: 1, scores: [0, 2] },
    ],
    [
      { outcome: 'score', scores: [2, 1] },
      { outcome: 'score', winner: 0, scores: [2, 1] },
    ],
    [
      { outcome: 'score', scores: [0, 1] },
      { outcome: 'score', winner: 1, scores: [0, 1] },
    ],
    [
      { outcome: 'walkover', winner: 2, scores: [1, 0] },
      { outcome: 'walkover', winner: 1 },
    ],
    [{ outcome: 'draw' }, { outcome: 'draw', scores: null }],
    [
      { outcome: 'draw', scores: [1, 1] },
      { outcome: 'draw', scores: [1, 1] },
    ],
    [{ outcome: 'double_forfeit', scores: [0, 0] }, { outcome: 'double_forfeit' }],
  ])('%j is %j', (input, decision) => {
    expect(readDecision(input)).toEqual(decision)
  })

  test.each<[ResultInput, string]>([
    [{ outcome: 'score' }, 'result.winner_missing'],
    [{ outcome: 'score', scores: [1, 1] }, 'result.winner_missing'],
    [{ outcome: 'walkover' }, 'result.winner_missing'],
    [{ outcome: 'walkover', scores: [1, 0] }, 'result.winner_missing'],
    [{ outcome: 'draw', winner: 1 }, 'result.winner_impossible'],
    [{ outcome: 'double_forfeit', winner: 2 }, 'result.winner_impossible'],
  ])('%j is refused as %s', (input, code) => {
    expect(codeOf(() => readDecision(input))).toBe(code)
  })
})

describe('what a map’s result says', () => {
  const winnerOf = (input: GameInput) => readGame(1, input).winner
  const sides = (first: number | null, second: number | null) => [{ score: first }, { score: second }]

  test.each<[GameInput, 0 | 1 | null]>([
    [{ sides: sides(2, 1) }, 0],
    [{ sides: sides(0, 1) }, 1],
    [{ sides: sides(3, 3) }, null],
    [{ sides: sides(0, 0) }, null],
    [{ sides: sides(9, 1), winner: 2 }, 1],
    [{ sides: sides(9, 1), winner: null }, null],
    [{ sides: sides(null, 1), winner: 1 }, 0],
    [{ sides: sides(null, null), winner: null }, null],
  ])('%j is won by %j', (input, winner) => {
    expect(winnerOf(input)).toBe(winner)
  })

  test('somebody must say who won where the points do not', () => {
    for (const [first, second] of [
      [null, 1],
      [1, null],
      [null, null],
    ] as const) {
      expect(codeOf(() => winnerOf({ sides: sides(first, second) }))).toBe('game.winner_missing')
    }
  })

  test('only what belongs to it is kept', () => {
    const more = { colour: 'red' }
    const userGuid = '7D0E8A52-0B3E-4A0E-9C65-3D5B0F3F8A11'
    const map = { hash: 'AB', difficulty: 'Hard', characteristic: 'Standard' }
    const input = {
      sides: [
        { score: 2, accuracy: 0.9, ...more },
        { score: 1, completion: 'failed', ...more },
      ],
      map: { ...map, ...more },
      players: [{ userGuid, side: 1, score: 2, ...more }],
    } as GameInput
    expect(readGame(3, input)).toEqual({
      number: 3,
      scores: [2, 1],
      winner: 0,
      detail: {
        map,
        sides: [{ accuracy: 0.9 }, { completion: 'failed' }],
        players: [{ userGuid: userGuid.toLowerCase(), side: 1, score: 2 }],
      },
    })
  })

  test.each(['1', '9999'])('%s is the number of a map', (text) => {
    expect(readNumber(text)).toBe(Number(text))
  })
  test.each(['', '0', '01', '-1', '1.5', '10000', 'one', '1 ', '١'])('%j is none', (text) => {
    expect(codeOf(() => readNumber(text))).toBe('game.number_invalid')
  })

  test('players are on the team of their side', () => {
    const match = { team1Guid: 'a', team2Guid: 'b' }
    const members = new Map([
      ['a', [{ userGuid: 'x' }]],
      ['b', [{ userGuid: 'y' }]],
    ])
    const check = (
      userGuid: string,
      side: 1 | 2,
      where: { team1Guid: string | null; team2Guid: string | null } = match,
    ) => codeOf(() => checkPlayers([{ userGuid, side, score: 1 }], where, members))
    expect([check('x', 1), check('y', 2)]).toEqual([null, null])
    const refused = [check('x', 2), check('z', 1), check('x', 1, { team1Guid: null, team2Guid: 'b' })]
    expect(refused).toEqual(Array(3).fill('game.player_unknown'))
  })
})

test('a result that is there is corrected, a bye is not', () => {
  expect(isCorrection({ status: 'completed', outcome: 'score' })).toBe(true)
  expect(isCorrection({ status: 'completed', outcome: 'walkover' })).toBe(true)
  expect(isCorrection({ status: 'completed', outcome: 'bye' })).toBe(false)
  expect(isCorrection({ status: 'running', outcome: null })).toBe(false)
  expect(isCorrection({ status: 'cancelled', outcome: null })).toBe(false)
})

test('whoever corrects has seen the bracket as it is', () => {
  expect(codeOf(() => checkSeen(7, { revision: 7 }))).toBeNull()
  expect(codeOf(() => checkSeen(6, { revision: 7 }))).toBe('correction.stale')
  expect(codeOf(() => checkSeen(undefined, { revision: 7 }))).toBe('match.completed')
})

test('results belong to brackets that are full', () => {
  expect(codeOf(() => checkPlaced({ status: 'draft' }))).toBe('bracket.incomplete')
  for (const status of ['ready', 'running', 'completed'] as const)
    expect(codeOf(() => checkPlaced({ status }))).toBeNull()
})

type Logged = Parameters<typeof loggedChange>[0]

test('the log tells what changed of a match, and its number', () => {
  const side = { slot: 1, from: null, bye: false, empty: false }
  const first = { number: 1, scores: [5, 4], winner: 0 } as const
  const before: Logged = {
    number: 12,
    status: 'running',
    outcome: null,
    games: [first],
    sides: [
      { ...side, score: 1, result: null },
      { ...side, score: 0, result: null },
    ],
  }
  const map = { hash: 'AB', difficulty: 'Hard', characteristic: 'Standard' }
  const second = { number: 2, scores: [1, 2], winner: 1, detail: { map, sides: [{}, {}] } } as const
  const after: Logged = {
    ...before,
    games: [first, second],
    sides: [before.sides[0], { ...before.sides[1], score: 1 }],
  }
  expect(loggedChange(before, after)).toEqual([
    { number: 12, scores: [1, 0], games: [] },
    { number: 12, scores: [1, 1], games: [{ number: 2, scores: [1, 2], winner: 2, map }] },
  ])
  expect(loggedChange(before, before)).toEqual([{ number: 12 }, { number: 12 }])
})
