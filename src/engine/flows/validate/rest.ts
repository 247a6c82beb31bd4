import type { Cursor } from '../cursor.ts'
import type { Action, Flow } from '../flow.ts'
import { bitOf } from './actors.ts'
import { placeOf, programOf } from './program.ts'
import type { PoolMapFacts } from './types.ts'
import { walk } from './walk.ts'

/** A session in which a level map may be given up. */
export interface Rest {
  readonly cursor: Cursor
  /** The step at the cursor played the map; otherwise it is still to come, the map being one that is played again. */
  readonly isStepDone: boolean
  /** How many maps can follow at most until it is decided, if this one is given up. */
  readonly plays: number
  /** Maps of the pool that nobody has banned, picked or played, also by their flair. */
  readonly left: readonly PoolMapFacts[]
  /** Maps in the play order that are to come; without the next one, where that is played in the place of this. */
  readonly queue: number
  /** Another map is drawn in the place of this. */
  readonly takesOne: boolean
  readonly rolled: boolean
  /** Pairs that were chosen. */
  readonly chosen: readonly string[]
  /** Somebody has won a map, or gets the one that is played in the place of this. */
  readonly hasWinner: boolean
  /** Actions that a seat has lost for the rest of the session. */
  readonly lost: readonly Action[]
  /** How often maps were chosen by each action. */
  readonly choices: ReadonlyMap<Action, number>
}

/**
 * Whether a session is decided for sure where a level map is void, or another one is played for it, and every map behind it
 * has a winner. Otherwise the rule is passed over. (match-flows: Details, 2)
 */
export function isDecidedWithout(flow: Flow, rest: Rest): boolean {
  if (rest.plays <= 0) return true
  const { cursor, plays, left, queue, takesOne, rolled, hasWinner, lost, choices } = rest
  const chosen = rest.chosen.reduce((bits, pair) => bits | bitOf(flow, pair), 0)
  const at = placeOf(flow, cursor) + (rest.isStepDone ? 1 : 0)
  // A map that is void makes nobody known; the next one either has a winner, or is not given up.
  const seen = hasWinner ? 2 : 1
  const from = { at, queue, rolled, chosen, seen, lost, choices, takesOne }
  const { findings } = walk({ flow, program: programOf(flow), plays, pool: left, seedsKnown: true, from })
  return findings.all.every(({ severity }) => severity === 'warning')
}
