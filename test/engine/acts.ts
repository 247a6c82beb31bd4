import fc from 'fast-check'
import { Problem } from '../../src/core/problem.ts'
import { apply, type Change } from '../../src/engine/progress.ts'
import type { Decision, Match, SideIndex } from '../../src/engine/types.ts'
import { type Bracket, game, type Shape, type Step } from './brackets.ts'

/** Random changes of a bracket. */

export const anyShape: fc.Arbitrary<Shape> = fc
  .record({
    format: fc.constantFrom('single_elimination', 'double_elimination', 'double_elimination', 'round_robin'),
    size: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 2, max: 9 }) }, fc.integer({ min: 10, max: 40 })),
    thirdPlace: fc.boolean(),
    grandFinal: fc.constantFrom('none', 'single', 'reset', 'reset'),
    bestOf: fc.constantFrom(1, 3, 5),
  })
  .map((drawn) => (drawn.format === 'round_robin' ? { ...drawn, size: Math.min(drawn.size, 8) } : drawn))

const acts = [
  'game',
  'game',
  'win',
  'win',
  'win',
  'walkover',
  'double_forfeit',
  'draw',
  'correct',
  'correct',
  'reopen',
  'remove',
  'undo',
  'start',
  'withdraw',
  'anything',
] as const
/**
 * A kind of change, and two numbers that choose its target and its variant among those that are possible at that
 * moment.
 */
export interface Act {
  readonly act: (typeof acts)[number]
  readonly where: number
  readonly how: number
}
export const anyAct: fc.Arbitrary<Act> = fc.record({
  act: fc.constantFrom(...acts),
  where: fc.nat({ max: 10_000 }),
  how: fc.nat({ max: 10_000 }),
})
export const anyActs = fc.array(anyAct, { maxLength: 60 })

const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % Math.max(1, items.length)]

function decisionFor(act: Act['act'], how: number, bestOf: number): Decision {
  const winner: SideIndex = how % 2 === 0 ? 0 : 1
  const needed = (bestOf + 1) / 2
  const least = (how >> 2) % needed
  if (act === 'walkover') return { outcome: 'walkover', winner }
  if (act === 'double_forfeit') return { outcome: 'double_forfeit' }
  if (act === 'draw') return { outcome: 'draw', scores: how % 3 === 0 ? null : [least, least] }
  return { outcome: 'score', winner, scores: how % 3 === 0 ? null : winner === 0 ? [needed, least] : [least, needed] }
}

/** The concrete change of an act; undefined when there is no target. */
export function changeFor(bracket: Bracket, { act, where, how }: Act): Change | undefined {
  const list = bracket.list()
  const completed = list.filter(
    ({ status, sides }) => status === 'completed' && sides.every(({ team }) => team !== null),
  )
  if (act === 'withdraw') {
    const team = pick([...new Set(list.flatMap(({ sides }) => sides.flatMap((side) => side.team ?? [])))], where)
    if (team === undefined) return undefined
    const matches = list.filter(({ sides }) => sides.some((side) => side.team === team)).map(({ number }) => number)
    return { kind: 'withdraw', team, policy: 'walkover', matches }
  }
  if (act === 'reopen' || act === 'correct') {
    const match = pick(completed, where)
    if (match === undefined) return undefined
    if (act === 'reopen') return { kind: 'reopen', match: match.number }
    const kinds = ['win', 'win', 'win', 'walkover', 'double_forfeit'] as const
    const decision = decisionFor(pick(kinds, how >> 3) ?? 'win', how, match.bestOf)
    return { kind: 'result', match: match.number, decision }
  }
  const match = pick(act === 'anything' ? list : bracket.open(), where)
  if (match === undefined) return undefined
  if (act === 'anything') return anythingFor(match, how)
  if (act === 'start') return { kind: 'start', match: match.number }
  if (act === 'remove') return { kind: 'remove_game', match: match.number, number: match.games.length }
  if (act === 'game') {
    const winner = pick([0, 1, 0, 1, 0, 1, null] as const, how) ?? null
    const number = how % 5 === 0 ? 1 + (how % (match.games.length + 1)) : match.games.length + 1
    return { kind: 'game', match: match.number, game: { number, winner, scores: [how, null] } }
  }
  return { kind: 'result', match: match.number, decision: decisionFor(act, how, match.bestOf) }
}

/** Includes invalid changes. */
function anythingFor({ number, bestOf, games }: Match, how: number): Change {
  const scores = [(how % 7) - 1, (how % 5) - 1] as const
  const winner: SideIndex = how % 3 === 0 ? 0 : 1
  const anything: Change[] = [
    { kind: 'start', match: number },
    { kind: 'reopen', match: number },
    { kind: 'game', match: number, game: game((how % (bestOf + 3)) - 1, winner) },
    { kind: 'remove_game', match: number, number: how % (games.length + 2) },
    { kind: 'result', match: number, decision: { outcome: 'score', winner, scores } },
    { kind: 'result', match: number, decision: { outcome: 'draw', scores } },
    { kind: 'result', match: number, decision: { outcome: 'double_forfeit' } },
  ]
  return pick(anything, how >> 3) ?? { kind: 'start', match: number }
}

/** Applies all acts in order; an impossible change is refused by the engine and skipped. */
export function live(
  bracket: Bracket,
  history: readonly Act[],
  watch: (step: Step, change: Change | 'undo') => void = () => {},
): void {
  let last: Step | undefined
  for (const act of history) {
    const change = act.act === 'undo' ? 'undo' : changeFor(bracket, act)
    try {
      if (change === 'undo') {
        if (last === undefined) continue
        watch(bracket.undo(last), change)
        last = undefined
      } else if (change !== undefined) {
        const step = bracket.make(change)
        if (act.act === 'correct' || act.act === 'reopen') last = step
        watch(step, change)
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  }
}

export function refuses(bracket: Bracket, change: Change): boolean {
  try {
    apply(bracket.board, change)
    return false
  } catch (error) {
    if (error instanceof Problem) return true
    throw error
  }
}
