import type { Cursor } from '../cursor.ts'
import type { Action, Flow } from '../flow.ts'
import { bitOf } from './actors.ts'
import { placeOf, programOf } from './program.ts'
import type { PoolMapFacts } from './types.ts'
import { walk } from './walk.ts'

/** The state of a session at a level map that may be given up, as far as the check needs it. */
export interface Rest {
  readonly cursor: Cursor
  /**
   * Whether the step at the cursor played the map. If not, the map is one that is played again, and the step is still
   * to come.
   */
  readonly isStepDone: boolean
  /** The most maps that can follow until the session is decided, if this map is given up. */
  readonly plays: number
  /** The maps of the pool that were not banned (also by flair), picked or played. */
  readonly left: readonly PoolMapFacts[]
  /** Number of maps to come in the play order, without the one that replaces this map. */
  readonly queue: number
  /** Whether another map is drawn to replace this one. */
  readonly takesOne: boolean
  readonly rolled: boolean
  /** Pairs that were chosen. */
  readonly chosen: readonly string[]
  /** Whether a map has a winner, or the map that replaces this one will have one. */
  readonly hasWinner: boolean
  /** Actions that a seat has lost for the rest of the session. */
  readonly lost: readonly Action[]
  /** How often maps were chosen by each action. */
  readonly choices: ReadonlyMap<Action, number>
}

/**
 * Whether the session is certain to be decided if a level map is void or replaced, and every later map has a winner. If
 * it is not, the tie rule is passed over. (match-flows: Details, 2)
 */
export function isDecidedWithout(flow: Flow, rest: Rest): boolean {
  if (rest.plays <= 0) return true
  const { cursor, plays, left, queue, takesOne, rolled, hasWinner, lost, choices } = rest
  const chosen = rest.chosen.reduce((bits, pair) => bits | bitOf(flow, pair), 0)
  const at = placeOf(flow, cursor) + (rest.isStepDone ? 1 : 0)
  // A void map has no winner. The next map either has one, or is not given up.
  const seen = hasWinner ? 2 : 1
  const from = { at, queue, rolled, chosen, seen, lost, choices, takesOne }
  const { findings } = walk({ flow, program: programOf(flow), plays, pool: left, seedsKnown: true, from })
  return findings.all.every(({ severity }) => severity === 'warning')
}
