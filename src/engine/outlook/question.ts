import type { Points } from '../types.ts'

/** What may still happen in a table, as seen by one of its teams. */

/** The sides of a match, by their index in the table. */
export type Pair = readonly [number, number]

export interface Field {
  /** What each has now. */
  readonly points: readonly number[]
  /** Who meets in the matches that are open. */
  readonly open: readonly Pair[]
  readonly worth: Points
  readonly allowDraws: boolean
  readonly rounds: RoundsToCome
}

/** Rounds of a Swiss bracket that are not paired yet; of a round robin there are none. */
export interface RoundsToCome {
  readonly count: number
  /** Who will be paired. */
  readonly isIn: readonly boolean[]
  readonly byePoints: number
}

export type Ending = 'win' | 'draw' | 'loss'

/** How the next match of a team ends, which is one of `open`. */
export interface Supposition {
  readonly match: number
  readonly ending: Ending
}

/** How many of the others come to a bar, or above it, that the team itself has set. */
export interface Question {
  readonly field: Field
  readonly team: number
  /** What the team has in the end, but for rounds to come. */
  readonly bar: number
  /** What the others have now, and from the team's matches; the team itself has less than anybody. */
  readonly points: readonly number[]
  /** Matches of others among themselves. */
  readonly open: readonly Pair[]
}

const reverse = { win: 'loss', draw: 'draw', loss: 'win' } as const

/** All matches of the team end one way, but for the one that is supposed to end otherwise. */
export function ask(field: Field, team: number, ending: Ending, supposed: Supposition | null): Question {
  const points = [...field.points]
  let bar = points[team] ?? 0
  const open = field.open.filter(([first, second], match) => {
    if (first !== team && second !== team) return true
    const own = match === supposed?.match ? supposed.ending : ending
    const opponent = first === team ? second : first
    bar += field.worth[own]
    points[opponent] = (points[opponent] ?? 0) + field.worth[reverse[own]]
    return false
  })
  points[team] = Number.NEGATIVE_INFINITY
  return { field, team, bar, points, open }
}

/** How many of these matches each has. */
export function countOpen(open: readonly Pair[], size: number): number[] {
  const counts = new Array<number>(size).fill(0)
  for (const [first, second] of open) {
    counts[first] = (counts[first] ?? 0) + 1
    counts[second] = (counts[second] ?? 0) + 1
  }
  return counts
}
