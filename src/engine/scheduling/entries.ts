import { assign } from './assign.ts'
import { byText, type Cast, type Grid, layOut, takenMarks, timeOf, unusable, withoutBusy } from './grid.ts'
import { peopleOf } from './people.ts'
import type { Obstacle, SchedulingMatch, SchedulingProblem } from './types.ts'

/** The matches of a problem, each with the starts it could have if it were the only match. */

/** The relation of another match to this one: `shares` a team, must be over `before`, or must follow `after`. */
export type Relation = 'shares' | 'before' | 'after'

export interface Entry {
  readonly index: number
  readonly match: SchedulingMatch
  /** The ids of the known teams. */
  readonly teams: readonly string[]
  /** The marks of these teams, by start. */
  readonly marks: readonly Uint8Array[]
  /** The possible officials, by index of the role. */
  readonly casts: readonly Cast[]
  readonly near: readonly { readonly index: number; readonly relation: Relation }[]
  /** The people already in this match who may also be in other matches, as indexes of people on the board. */
  readonly held: readonly number[]
  /**
   * The numbers of suitable starts. `suitsTeams`: starts that suit the teams; `suits`: those that also suit the people
   * in the match; `streamed`: those that also have a free stream; `staffed`: the number of those with enough officials.
   */
  readonly suitsTeams: number
  readonly suits: number
  readonly streamed: readonly number[]
  readonly staffed: number
  /**
   * The starts with enough officials, packed by `pack`: sorted by the teams' preference, then the officials'
   * preference, then time.
   */
  readonly choices: Float64Array
  /** The reason why the match can have no place, whatever the other matches do; null for none. */
  readonly obstacle: Obstacle | null
}

export interface Board extends Grid {
  /** Sorted by match number, then id. */
  readonly entries: readonly Entry[]
  /** The number of people who can be in one match at a time: the officials, then other people in matches. */
  readonly population: number
  /** The indexes of the matches without an obstacle: feeders first, otherwise those with the fewest choices first. */
  readonly order: readonly number[]
}

interface Draft extends Entry {
  choices: Float64Array
  obstacle: Obstacle | null
}

const field = 2 ** 20

/**
 * Packs a choice into one number that sorts by preference. `late`: the start leaves no time for a later match. `teams`
 * is reluctant × 4 + maybe; `crew` is reluctant × 1024 + maybe of the most willing officials.
 */
const pack = (late: number, teams: number, crew: number, start: number) =>
  ((late * 16 + teams) * field + crew) * field + start
export const startOf = (choice: number) => choice % field
export const crewOf = (choice: number) => Math.floor(choice / field) % field
/** The preference of a choice, without its time. */
export const askedBy = (choice: number) => Math.floor(choice / field)
export const isLate = (choice: number) => choice >= 16 * field * field
const noCrew = -1

export function prepare(problem: SchedulingProblem): Board {
  const grid = layOut(problem)
  const matches = [...problem.matches].sort((a, b) => a.number - b.number || byText(a.id, b.id))
  const indexes = new Map(matches.map(({ id }, index) => [id, index]))
  const feeders = matches.map(({ after }) => after.map((id) => indexes.get(id)))
  const common = crewFloors(grid, grid.casts)
  const { held, population } = peopleOf(matches, grid.people)
  const entries = matches.map((match, index): Draft => {
    const own = grid.castsByMatch.get(match.id)
    const floors = own === undefined ? common : crewFloors(grid, own)
    const elsewhere = takenMarks(
      grid.frame,
      match.people.flatMap((person) => problem.busy.officials.get(person) ?? []),
    )
    const around = { near: nearOf(matches, feeders, index), held: held[index] as readonly number[] }
    const draft = draftOf(grid, match, index, around, elsewhere, floors)
    return feeders[index]?.includes(undefined) && draft.obstacle === null
      ? { ...draft, obstacle: 'match_before' }
      : draft
  })
  return { ...grid, entries, population, order: boundByOrder(entries, grid.frame.gap) }
}

function nearOf(
  matches: readonly SchedulingMatch[],
  feeders: readonly (readonly (number | undefined)[])[],
  index: number,
): Entry['near'] {
  const teams = matches[index]?.teams.filter((team) => team !== null) ?? []
  const relationTo = (other: SchedulingMatch, at: number): Relation | null => {
    if (feeders[index]?.includes(at)) return 'before'
    if (feeders[at]?.includes(index)) return 'after'
    return at !== index && teams.some((team) => other.teams.includes(team)) ? 'shares' : null
  }
  return matches.flatMap((other, at) => {
    const relation = relationTo(other, at)
    return relation === null ? [] : [{ index: at, relation }]
  })
}

function draftOf(
  grid: Grid,
  match: SchedulingMatch,
  index: number,
  around: Pick<Entry, 'near' | 'held'>,
  elsewhere: Uint8Array,
  floorAt: (start: number) => number,
): Draft {
  const { frame } = grid
  const teams = match.teams.filter((team) => team !== null)
  const marks = teams.map((team) => grid.teams.get(team) as Uint8Array)
  const choices: number[] = []
  let answered = 0
  let inOrder = 0
  let suitsTeams = 0
  let suits = 0
  const streamed: number[] = []
  for (let start = 0; start < frame.starts; start += 1) {
    if (!marks.every((of) => withoutBusy(of[start] as number) < unusable)) continue
    answered += 1
    const time = timeOf(frame, start)
    if (time < (match.notBefore ?? time) || time + frame.length > (match.notAfter ?? Infinity)) continue
    inOrder += 1
    if (!marks.every((of) => (of[start] as number) < unusable)) continue
    suitsTeams += 1
    if (elsewhere[start] === 1) continue
    suits += 1
    if (grid.streams.every(({ taken }) => taken[start] === 1)) continue
    streamed.push(start)
    const crew = floorAt(start)
    if (crew === noCrew) continue
    let willing = 0
    for (const of of marks) willing += of[start] === 2 ? 4 : (of[start] as number)
    choices.push(pack(0, willing, crew, start))
  }
  const obstacle = ((): Obstacle | null => {
    if (frame.starts === 0) return 'window_too_short'
    if (answered === 0) return marks.every(hasTime) ? 'no_common_time' : 'team_without_time'
    if (inOrder === 0) return 'order'
    if (suitsTeams === 0) return 'team_busy'
    if (suits === 0) return 'people'
    if (streamed.length === 0) return 'streams'
    return choices.length === 0 ? 'officials' : null
  })()
  const casts = grid.castsByMatch.get(match.id) ?? grid.casts
  const facts = { suitsTeams, suits, streamed, staffed: choices.length, choices: Float64Array.from(choices) }
  return { index, match, teams, marks, ...around, casts, ...facts, obstacle }
}

/** Whether the team gave enough time for a match, ignoring what is taken. */
export const hasTime = (marks: Uint8Array) => marks.some((mark) => withoutBusy(mark) < unusable)

/** The number of people who can take a role at a start. */
export function countFree(cast: Cast, start: number): number {
  let free = 0
  for (const marks of cast) if (marks !== null && (marks[start] as number) < unusable) free += 1
  return free
}

/**
 * The lowest possible reluctance of the officials at a start (reluctant × 1024 + maybe); `noCrew` where there are too
 * few officials.
 */
function crewFloors({ frame, people, roles, seats }: Grid, casts: readonly Cast[]): (start: number) => number {
  const floors = new Float64Array(frame.starts).fill(Number.NaN)
  const costs = new Float64Array(seats.length * people.length)
  const counts = new Int32Array(unusable)
  const floorAt = (start: number) => {
    let floor = 0
    let fewest = Infinity
    for (const [role, { count }] of roles.entries()) {
      counts.fill(0)
      for (const marks of casts[role] as Cast) {
        const mark = marks === null ? unusable : (marks[start] as number)
        if (mark < unusable) counts[mark] = (counts[mark] as number) + 1
      }
      const [available = 0, maybe = 0, reluctant = 0] = counts
      if (available + maybe + reluctant < count) {
        floor = noCrew
        break
      }
      fewest = Math.min(fewest, available + maybe + reluctant)
      const forced = Math.max(0, count - available - maybe)
      floor += forced * 1024 + Math.max(0, count - available - forced)
    }
    // One person may be able to take several roles. Where each role has enough people for all seats together, no check
    // is needed.
    if (floor !== noCrew && fewest < seats.length) {
      for (const [seat, role] of seats.entries()) {
        for (const [person, marks] of (casts[role] as Cast).entries()) {
          costs[seat * people.length + person] = marks !== null && (marks[start] as number) < unusable ? 0 : Infinity
        }
      }
      if (assign(costs, seats.length, people.length) === null) floor = noCrew
    }
    return floor
  }
  return (start) => {
    if (Number.isNaN(floors[start])) floors[start] = floorAt(start)
    return floors[start] as number
  }
}

/**
 * Removes the starts that come too early after the feeders, marks as late the starts that leave no time for later
 * matches, and sorts the choices. Returns the indexes of the possible matches in the order of placing.
 */
function boundByOrder(entries: readonly Draft[], gap: number): readonly number[] {
  const feedersOf = ({ near }: Entry) => near.filter(({ relation }) => relation === 'before').map(({ index }) => index)
  const earliest = new Float64Array(entries.length)
  const order: number[] = []
  const waiting = new Set(entries)
  const open = (entry: Draft) => !feedersOf(entry).some((feeder) => waiting.has(entries[feeder] as Draft))
  for (;;) {
    const next = [...waiting].filter(open).sort((a, b) => a.choices.length - b.choices.length || a.index - b.index)[0]
    if (next === undefined) break
    waiting.delete(next)
    const feeders = feedersOf(next)
    if (next.obstacle !== null) continue
    if (feeders.some((feeder) => entries[feeder]?.obstacle !== null)) {
      next.obstacle = 'match_before'
      continue
    }
    const from = Math.max(0, ...feeders.map((feeder) => (earliest[feeder] as number) + gap))
    next.choices = next.choices.filter((choice) => startOf(choice) >= from)
    earliest[next.index] = next.choices.reduce((least, choice) => Math.min(least, startOf(choice)), Infinity)
    if (next.choices.length === 0) next.obstacle = 'order'
    else order.push(next.index)
  }
  // The rest are matches that wait for each other in a cycle.
  for (const entry of waiting) entry.obstacle ??= 'match_before'
  const bounds = new Float64Array(entries.length).fill(Infinity)
  for (const index of order.toReversed()) {
    const entry = entries[index] as Draft
    const bound = bounds[index] as number
    entry.choices = entry.choices.map((choice) => (startOf(choice) > bound ? choice + pack(1, 0, 0, 0) : choice)).sort()
    const last = entry.choices.reduce(
      (most, choice) => (isLate(choice) ? most : Math.max(most, startOf(choice))),
      -Infinity,
    )
    for (const feeder of feedersOf(entry)) bounds[feeder] = Math.min(bounds[feeder] as number, last - gap)
  }
  return order
}
