import { describe, expect, test } from 'vitest'
import { Bracket, duel, four, game, refusal, shape, short } from '../../test/engine/brackets.ts'
import type { Change } from './progress.ts'
import type { Decision } from './types.ts'

describe('games', () => {
  test('start a ready match and complete it once a side has the wins it needs', () => {
    const bracket = duel()
    bracket.game(1, 1, 0)
    expect(short(bracket.match(1))).toEqual({
      status: 'running',
      outcome: null,
      scores: [1, 0],
      results: [null, null],
    })
    expect(bracket.match(1).started).toBe(true)
    bracket.game(1, 2, 1)
    bracket.game(1, 3, 1)
    expect(short(bracket.match(1))).toEqual({
      status: 'completed',
      outcome: 'score',
      scores: [1, 2],
      results: ['loss', 'win'],
    })
  })

  test('that tie count for nobody and take a number, so that there can be more than the length of the match', () => {
    const bracket = duel()
    const winners = [null, 0, null, 1, null, 0] as const
    winners.forEach((winner, index) => {
      bracket.game(1, index + 1, winner)
    })
    expect(bracket.match(1).games).toHaveLength(6)
    expect(short(bracket.match(1))).toMatchObject({ status: 'completed', scores: [2, 1] })
  })

  test('alter nothing when they are reported again, before and after the match is completed', () => {
    const bracket = duel()
    bracket.game(1, 1, 0)
    expect(bracket.game(1, 1, 0).after).toEqual([])
    bracket.game(1, 2, 0)
    expect(bracket.game(1, 2, 0).after).toEqual([])
    bracket.make({ kind: 'reopen', match: 1 })
    expect(bracket.game(1, 2, 0).after).toEqual([])
    expect(bracket.match(1).status).toBe('running')
  })

  test('can be corrected while the match runs, points alone as well', () => {
    const bracket = duel()
    bracket.game(1, 1, 0)
    bracket.game(1, 2, 1)
    bracket.game(1, 1, 1)
    expect(short(bracket.match(1))).toMatchObject({ status: 'completed', scores: [0, 2] })

    const points = duel()
    points.game(1, 1, 0)
    const { after } = points.make({ kind: 'game', match: 1, game: { ...game(1, 0), scores: [900, 800] } })
    expect(after[0]?.games).toEqual([{ number: 1, winner: 0, scores: [900, 800] }])
  })

  test('that would decide the match before others that were played are refused', () => {
    const bracket = duel()
    bracket.game(1, 1, 0)
    bracket.game(1, 2, 1)
    bracket.game(1, 3, null)
    expect(refusal(() => bracket.game(1, 2, 0))).toBe('conflict game.not_needed')
    expect(refusal(() => bracket.game(1, 1, 1))).toBe('conflict game.not_needed')
    expect(refusal(() => bracket.game(1, 2, null))).toBe('accepted')
  })

  test.each([0, -1, 1.5, Number.NaN])('have no number %s', (number) => {
    expect(refusal(() => duel().game(1, number, 0))).toBe('invalid game.number_invalid')
  })

  test('come in order', () => {
    const bracket = duel()
    expect(refusal(() => bracket.game(1, 2, 0))).toBe('conflict game.out_of_order')
    bracket.game(1, 1, 0)
    expect(refusal(() => bracket.game(1, 3, 0))).toBe('conflict game.out_of_order')
  })

  test('of a completed match are refused', () => {
    const bracket = duel(1)
    bracket.game(1, 1, 0)
    expect(refusal(() => bracket.game(1, 1, 1))).toBe('conflict match.completed')
    expect(refusal(() => bracket.game(1, 2, 1))).toBe('conflict match.completed')
    expect(refusal(() => bracket.make({ kind: 'remove_game', match: 1, number: 1 }))).toBe('conflict match.completed')
  })

  test('can be removed from the end while the match runs', () => {
    const bracket = duel()
    bracket.game(1, 1, 0)
    bracket.game(1, 2, 1)
    const remove = (number: number) => bracket.make({ kind: 'remove_game', match: 1, number })
    expect(refusal(() => remove(1))).toBe('conflict game.not_last')
    expect(refusal(() => remove(3))).toBe('missing game.unknown')
    remove(2)
    remove(1)
    expect(bracket.match(1)).toMatchObject({ games: [], status: 'running', started: true })
    expect(short(bracket.match(1)).scores).toEqual([null, null])
    expect(refusal(() => duel().make({ kind: 'remove_game', match: 1, number: 1 }))).toBe('conflict match.not_running')
  })
})

describe('starting', () => {
  test('takes a ready match, once', () => {
    const bracket = four()
    const start = (match: number) => () => bracket.make({ kind: 'start', match })
    expect(start(1)().after[0]?.status).toBe('running')
    expect(refusal(start(1))).toBe('conflict match.running')
    bracket.win(2, 0)
    expect(refusal(start(2))).toBe('conflict match.completed')
    expect(bracket.match(4).status).toBe('waiting')
    expect(refusal(start(4))).toBe('conflict match.not_ready')
  })
})

describe('results', () => {
  test('are allowed on a ready match, which they start', () => {
    const bracket = duel()
    bracket.result(1, { outcome: 'score', winner: 1, scores: [0, 2] })
    expect(short(bracket.match(1))).toEqual({
      status: 'completed',
      outcome: 'score',
      scores: [0, 2],
      results: ['loss', 'win'],
    })
    expect(bracket.match(1).started).toBe(true)
  })

  test('win over the games, and are none of their business', () => {
    const bracket = duel()
    bracket.game(1, 1, 0)
    bracket.game(1, 2, 0)
    bracket.result(1, { outcome: 'score', winner: 1, scores: [1, 2] })
    expect(bracket.match(1).games).toHaveLength(2)
    expect(short(bracket.match(1))).toMatchObject({ scores: [1, 2], results: ['loss', 'win'] })
  })

  test('without scores show the games, unless these say the opposite', () => {
    const bracket = duel()
    bracket.game(1, 1, 0)
    bracket.win(1, 0)
    expect(short(bracket.match(1)).scores).toEqual([1, 0])
    bracket.win(1, 1)
    expect(short(bracket.match(1))).toMatchObject({ scores: [null, null], results: ['loss', 'win'] })
    bracket.result(1, { outcome: 'walkover', winner: 1 })
    expect(short(bracket.match(1))).toMatchObject({ scores: [1, 0], results: ['forfeit', 'win'] })
  })

  test('alter nothing when they are given again', () => {
    const bracket = duel()
    bracket.result(1, { outcome: 'score', winner: 1, scores: [0, 2] })
    expect(bracket.result(1, { outcome: 'score', winner: 1, scores: [0, 2] }).after).toEqual([])
    expect(bracket.result(1, { outcome: 'score', winner: 1, scores: [1, 2] }).after).toHaveLength(1)
  })

  test.each<[string, Decision]>([
    ['the winner has the lower score', { outcome: 'score', winner: 0, scores: [1, 2] }],
    ['both have the same score', { outcome: 'score', winner: 0, scores: [1, 1] }],
    ['a score is more than the match has', { outcome: 'score', winner: 0, scores: [3, 0] }],
    ['a score is negative', { outcome: 'score', winner: 0, scores: [1, -1] }],
    ['a score is broken', { outcome: 'score', winner: 0, scores: [1.5, 1] }],
    ['a score is no number', { outcome: 'score', winner: 0, scores: [2, Number.NaN] }],
  ])('are refused when %s', (_, decision) => {
    expect(refusal(() => duel().result(1, decision))).toBe('invalid match.scores_invalid')
  })

  test('may stay below the number that decides', () => {
    expect(refusal(() => duel().result(1, { outcome: 'score', winner: 0, scores: [1, 0] }))).toBe('accepted')
  })

  test('are draws only in tables, and only where the bracket allows them', () => {
    const table = Bracket.of(shape('round_robin', 3))
    table.result(1, { outcome: 'draw', scores: [1, 1] })
    expect(short(table.match(1))).toEqual({
      status: 'completed',
      outcome: 'draw',
      scores: [1, 1],
      results: ['draw', 'draw'],
    })
    const draw: Decision = { outcome: 'draw', scores: null }
    table.game(3, 1, 0)
    table.result(3, draw)
    expect(short(table.match(3))).toMatchObject({ scores: [null, null], results: ['draw', 'draw'] })
    const strict = new Bracket(table.list(), false)
    expect(refusal(() => strict.result(2, draw))).toBe('invalid match.draw_not_allowed')
    const tree = new Bracket(duel().list(), true)
    expect(refusal(() => tree.result(1, draw))).toBe('invalid match.draw_not_allowed')
    for (const scores of [
      [1, 0],
      [2, 2],
      [-1, -1],
    ] as const) {
      expect(refusal(() => table.result(2, { outcome: 'draw', scores }))).toBe('invalid match.scores_invalid')
    }
  })

  test('need two teams', () => {
    const bracket = Bracket.of(shape('single_elimination', 3, { grandFinal: 'none' }))
    const changes = (match: number): Change[] => [
      { kind: 'result', match, decision: { outcome: 'walkover', winner: 0 } },
      { kind: 'game', match, game: game(1, 0) },
      { kind: 'start', match },
      { kind: 'reopen', match },
    ]
    for (const change of changes(1)) expect(refusal(() => bracket.make(change))).toBe('conflict match.no_opponent')
    for (const change of changes(3)) expect(refusal(() => bracket.make(change))).toBe('conflict match.not_ready')
  })
})

describe('the number of games', () => {
  test('can change before play', () => {
    const bracket = four()
    bracket.make({ kind: 'best_of', matches: [1, 4], bestOf: 5 })
    expect(bracket.list().map(({ bestOf }) => bestOf)).toEqual([5, 3, 3, 5])
    bracket.game(1, 1, 0)
    bracket.game(1, 2, 0)
    expect(bracket.match(1).status).toBe('running')
    bracket.game(1, 3, 0)
    expect(bracket.match(1).status).toBe('completed')
  })

  test('cannot change after that, nor be even', () => {
    const bracket = four()
    bracket.make({ kind: 'start', match: 1 })
    const length = (matches: number[], bestOf: number) => () => bracket.make({ kind: 'best_of', matches, bestOf })
    expect(refusal(length([1, 2], 5))).toBe('conflict match.started')
    expect(length([1], 3)().after).toEqual([])
    for (const bestOf of [0, 2, -1, 1.5]) expect(refusal(length([2], bestOf))).toBe('invalid match.best_of_invalid')
  })
})
