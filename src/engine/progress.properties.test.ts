import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyAct, anyActs, anyShape, changeFor, live, refuses } from '../../test/engine/acts.ts'
import { Bracket, game, planOf, type Shape, shape, thinkPartially } from '../../test/engine/brackets.ts'
import { faults, ghosts } from '../../test/engine/faults.ts'
import { Problem } from '../core/problem.ts'
import { restore } from './corrections.ts'
import { apply, type Change, settle } from './progress.ts'
import type { Match } from './types.ts'
import { hasBegun } from './verdict.ts'

/**
 * Random brackets with random changes. The tests state each rule independently of the engine: by checking a whole
 * bracket, and by replaying it from the start.
 */

const fixed = ({ number, section, round, group, winnerTo, loserTo, conditional, pairing, bestOf, sides }: Match) => ({
  number,
  section,
  round,
  group,
  winnerTo,
  loserTo,
  conditional,
  pairing,
  bestOf,
  sides: sides.map(({ slot, from, bye }) => ({ slot, from, bye })),
})

test('whatever happens, every match follows from those before it and from its own reports', () => {
  fc.assert(
    fc.property(anyShape, anyActs, (wanted, history) => {
      const bracket = Bracket.of(wanted)
      const tree = planOf(wanted).matches.map(fixed)
      expect(faults(bracket.list(), bracket.withdrawn)).toEqual([])
      live(bracket, history, ({ before, after }) => {
        expect(faults(bracket.list(), bracket.withdrawn)).toEqual([])
        expect(ghosts(bracket.list(), wanted)).toEqual([])
        expect(after.map(({ number }) => number)).toEqual(before.map(({ number }) => number).sort((a, b) => a - b))
        after.forEach((match, index) => {
          expect(match).not.toEqual(before[index])
        })
      })
      expect(bracket.list().map(fixed)).toEqual(tree)
    }),
    { numRuns: 150 },
  )
})

test('no match is ever stuck: playing on ends the bracket, with one champion unless nobody was left to win', () => {
  fc.assert(
    fc.property(anyShape, anyActs, fc.nat(), (wanted, history, how) => {
      const bracket = Bracket.of(wanted)
      live(bracket, history)
      bracket.playOn(({ number }) => ((how >> (number % 16)) % 2 === 0 ? 0 : 1))
      expect(bracket.list().filter(({ status }) => status !== 'completed' && status !== 'cancelled')).toEqual([])
      if (wanted.format === 'round_robin') return
      const inSection = (section: Match['section']) => bracket.list().filter((match) => match.section === section)
      const finals = inSection('final')
      const deciding = finals.length > 0 ? finals : inSection('upper').slice(-1)
      const last = deciding.findLast(({ status }) => status !== 'cancelled')
      const champions = last?.sides.filter(({ result }) => result === 'win') ?? []
      expect(champions).toHaveLength(last === undefined || last.outcome === 'double_forfeit' ? 0 : 1)
      if (last !== undefined) return
      const lost = bracket
        .list()
        .flatMap(({ sides }) => sides.flatMap(({ team, result }) => (result === 'win' ? [] : [team])))
      expect(new Set(lost.filter((team) => team !== null)).size).toBe(wanted.size)
    }),
    { numRuns: 150 },
  )
})

/** Repeats the reports in `records` on `bracket`, in the order of the numbers, where the same two teams play. */
function replay(bracket: Bracket, records: readonly Match[]): void {
  for (const record of records) {
    const { number, games, decision, started, reopened } = record
    const match = bracket.match(number)
    const isSame = match.sides.every(({ team }, index) => team !== null && team === record.sides[index]?.team)
    if (!isSame || !started) continue
    if (match.status === 'ready' && hasBegun(record)) bracket.make({ kind: 'start', match: number })
    for (const played of games) bracket.make({ kind: 'game', match: number, game: played })
    if (decision !== null) bracket.result(number, decision)
    if (!reopened) continue
    bracket.result(number, { outcome: 'walkover', winner: 0 })
    bracket.make({ kind: 'reopen', match: number })
  }
}

/**
 * At most one team withdraws, before play. A replay cannot tell when a team withdrew, nor which of two withdrawn
 * opponents had advanced first.
 */
const anyLeavers = fc.array(fc.nat({ max: 39 }), { maxLength: 1 })

function withLeavers(wanted: Shape, leavers: readonly number[]): Bracket {
  const bracket = Bracket.of(wanted)
  for (const leaver of leavers) bracket.withdraw(`t${(leaver % wanted.size) + 1}`)
  return bracket
}

test('a correction gives what playing it all again gives, with the corrected result in its place', () => {
  let corrections = 0
  fc.assert(
    fc.property(
      anyShape,
      anyLeavers,
      anyActs,
      fc.array(anyAct, { minLength: 1, maxLength: 8 }),
      (wanted, leavers, history, more) => {
        const bracket = withLeavers(wanted, leavers)
        live(
          bracket,
          history.filter(({ act }) => act !== 'withdraw'),
        )
        for (const act of more) {
          const records = bracket.list()
          const change = changeFor(bracket, { ...act, act: 'correct' })
          if (change?.kind !== 'result' || !bracket.match(change.match).started) continue
          bracket.make(change)
          corrections += 1
          const again = withLeavers(wanted, leavers)
          replay(
            again,
            records.map((match) => {
              if (match.number !== change.match) return match
              return { ...match, decision: { ...change.decision, ...(hasBegun(match) ? { begun: true } : {}) } }
            }),
          )
          expect(bracket.list()).toEqual(again.list())
        }
      },
    ),
    { numRuns: 150 },
  )
  expect(corrections).toBeGreaterThan(100)
})

test('an undo restores the bracket exactly, also after changes elsewhere', () => {
  let undone = 0
  fc.assert(
    fc.property(anyShape, anyActs, anyAct, anyAct, (wanted, history, correction, elsewhere) => {
      const bracket = Bracket.of(wanted)
      live(bracket, history)
      const change = changeFor(bracket, { ...correction, act: correction.how % 2 === 0 ? 'correct' : 'reopen' })
      if (change === undefined || refuses(bracket, change)) return
      const before = bracket.copy()
      const step = bracket.make(change)
      const other = changeFor(bracket, { ...elsewhere, act: 'win' })
      const twin = before.copy()
      if (other !== undefined && !refuses(bracket, other) && !refuses(twin, other)) {
        const { after } = bracket.make(other)
        if (after.some(({ number }) => step.after.some((match) => match.number === number))) {
          expect(() => bracket.undo(step)).toThrow(Problem)
          return
        }
        twin.make(other)
      }
      bracket.undo(step)
      expect(bracket.list()).toEqual(twin.list())
      undone += 1
    }),
    { numRuns: 200 },
  )
  expect(undone).toBeGreaterThan(60)
})

test('a board that holds a few matches gives the same as a whole one, and only neighbours are asked for', () => {
  fc.assert(
    fc.property(anyShape, anyActs, (wanted, history) => {
      const bracket = Bracket.of(wanted)
      for (const act of history) {
        const change = changeFor(bracket, act)
        if (change === undefined || refuses(bracket, change)) continue
        const whole = apply(bracket.board, change)
        const { altered, loaded } = thinkPartially(bracket.board, (board) => apply(board, change))
        expect(altered).toEqual(whole)
        const near = [...('matches' in change ? change.matches : [change.match]), ...whole.map(({ number }) => number)]
        const consumers = whole.flatMap(({ winnerTo, loserTo }) => [winnerTo?.match ?? 0, loserTo?.match ?? 0])
        expect([...loaded].filter((number) => !near.includes(number) && !consumers.includes(number))).toEqual([])
        const step = bracket.make(change)
        const back = restore(bracket.board, step.before, step.after)
        expect(thinkPartially(bracket.board, (board) => restore(board, step.before, step.after)).altered).toEqual(back)
      }
    }),
    { numRuns: 60 },
  )
})

test('settling a bracket with teams that have left gives what their leaving at once gives', () => {
  fc.assert(
    fc.property(anyShape, fc.nat({ max: 39 }), (wanted, leaver) => {
      const team = `t${(leaver % wanted.size) + 1}`
      expect(settle(planOf(wanted), { withdrawn: new Map([[team, 'walkover']]) })).toEqual(
        withLeavers(wanted, [leaver]).list(),
      )
    }),
    { numRuns: 100 },
  )
})

test('any game of a running match can be put right, and the match is what its games say', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(1, 3, 5, 7),
      fc.array(fc.tuple(fc.nat(12), fc.constantFrom(0, 1, null)), { maxLength: 30 }),
      (bestOf, reports) => {
        const bracket = Bracket.of(shape('single_elimination', 2, { bestOf }))
        for (const [at, winner] of reports) {
          const { games, status } = bracket.match(1)
          const number = 1 + (at % (games.length + 1))
          const wished = replaced(games, game(number, winner))
          const isRefused = refuses(bracket, { kind: 'game', match: 1, game: game(number, winner) })
          if (!isRefused) bracket.game(1, number, winner)
          const isSame = games[number - 1]?.winner === winner
          expect(isRefused).toBe(!isSame && (status === 'completed' || isDecidedEarly(wished, bestOf)))
          expect(bracket.match(1).games).toEqual(isRefused ? games : wished)
        }
      },
    ),
    { numRuns: 200 },
  )
})

function replaced(games: Match['games'], edited: Match['games'][number]): Match['games'] {
  return [...games.filter(({ number }) => number !== edited.number), edited].sort((a, b) => a.number - b.number)
}

/** Whether the match is decided without its last game. */
function isDecidedEarly(games: Match['games'], bestOf: number): boolean {
  const fewer = games.slice(0, -1)
  return [0, 1].some((side) => fewer.filter(({ winner }) => winner === side).length * 2 > bestOf)
}

test('a report in a bracket of 4096 teams needs as few matches as in one of 16, and a correction not many more', () => {
  const small = demands(16)
  const large = demands(4096)
  expect([small.report, large.report]).toEqual([3, 3])
  // A correction in the first round changes at most one team per later upper round, and each of these changes at most
  // one team per lower round.
  expect(small.correction).toBeLessThanOrEqual(4 ** 2)
  expect(large.correction).toBeLessThanOrEqual(12 ** 2)
})

/**
 * The number of matches that changes of a double elimination read: the maximum for a report, and the number for a
 * correction of match 1.
 */
function demands(size: number): { readonly report: number; readonly correction: number } {
  const bracket = Bracket.of(shape('double_elimination', size, { bestOf: 1 }))
  const demand = (change: Change) => {
    const asked = new Set<number>()
    const match = (number: number) => {
      asked.add(number)
      return bracket.matches.get(number)
    }
    apply({ ...bracket.board, match }, change)
    return asked.size
  }
  let report = 0
  for (let open = bracket.open(); open.length > 0; open = bracket.open()) {
    for (const { number } of open) {
      const change: Change = { kind: 'game', match: number, game: game(1, number % 3 === 0 ? 1 : 0) }
      report = Math.max(report, demand(change))
      bracket.make(change)
    }
  }
  const winner = bracket.match(1).sides[0].result === 'win' ? 1 : 0
  const correction = demand({ kind: 'result', match: 1, decision: { outcome: 'score', winner, scores: null } })
  return { report, correction }
}
