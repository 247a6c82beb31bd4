import type { Points } from '../types.ts'

/** The open questions of a table, from the view of one team. */

/** The two teams of a match, by their index in the table. */
export type Pair = readonly [number, number]

export interface Field {
  /** The current points of each team. */
  readonly points: readonly number[]
  /** The pairs of the open matches. */
  readonly open: readonly Pair[]
  readonly worth: Points
  readonly allowDraws: boolean
  readonly rounds: RoundsToCome
}

/** The unpaired rounds of a Swiss bracket; `count` is 0 for a round robin. */
export interface RoundsToCome {
  readonly count: number
  /** For each team whether it will be paired. */
  readonly isIn: readonly boolean[]
  readonly byePoints: number
}

export type Ending = 'win' | 'draw' | 'loss'

/** An assumed result of the next match of a team. `match` is an index in `open`. */
export interface Supposition {
  readonly match: number
  readonly ending: Ending
}

/** A question about the other teams: how many of them can reach or pass a bar, the final points of the team. */
export interface Question {
  readonly field: Field
  readonly team: number
  /** The final points of the team, without rounds to come. */
  readonly bar: number
  /** The points of the other teams, including their matches against the team. The team itself has -Infinity here. */
  readonly points: readonly number[]
  /** The open matches between other teams. */
  readonly open: readonly Pair[]
}

const reverse = { win: 'loss', draw: 'draw', loss: 'win' } as const

/** Builds the question in which all open matches of the team have one ending, except a supposed one. */
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

/** The number of open matches of each team. */
export function countOpen(open: readonly Pair[], size: number): number[] {
  const counts = new Array<number>(size).fill(0)
  for (const [first, second] of open) {
    counts[first] = (counts[first] ?? 0) + 1
    counts[second] = (counts[second] ?? 0) + 1
  }
  return counts
}
