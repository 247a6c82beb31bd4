import { type AvailabilityStatus, quarter, type Span } from '../availability.ts'
import type { Answered, Official, SchedulingMatch, SchedulingProblem } from './types.ts'

/** Tables of availability by start: who can play or officiate, and which streams are free. */

const minute = 60_000

/**
 * A mark is the answer of a person or team for a whole match: 0 available, 1 maybe, 2 would rather not, `unavailable`,
 * plus `unanswered` where a part has no answer, plus `busy`. A mark below `unusable` allows the match.
 */
export const unusable = 3
const unavailable = 4
const unanswered = 8
const busy = 16

const codes: Readonly<Record<AvailabilityStatus, number>> = {
  available: 0,
  maybe: 1,
  would_rather_not: 2,
  unavailable,
}

/** The possible starts, all at quarters of an hour, and the distance between two matches. */
export interface Frame {
  /** The time of start 0, in milliseconds. */
  readonly first: number
  /** The number of starts. */
  readonly starts: number
  /** The length of a match, and the rest between two matches of a team; both in milliseconds. */
  readonly length: number
  readonly rest: number
  /** Both in starts: `span` is the length of a match, `gap` the length plus the rest. */
  readonly span: number
  readonly gap: number
}

/** The marks of all people in one role, by index of the person; null for people without this role. */
export type Cast = readonly (Uint8Array | null)[]

export interface Grid {
  readonly frame: Frame
  /** The roles that a match needs, sorted by name, and the number of each. */
  readonly roles: readonly { readonly name: string; readonly count: number }[]
  /** The index of the role of each seat; a match has one seat per official. */
  readonly seats: readonly number[]
  readonly streams: readonly { readonly name: string; readonly taken: Uint8Array }[]
  /** The marks of each team, by team id. */
  readonly teams: ReadonlyMap<string, Uint8Array>
  /** The ids of the officials, sorted. */
  readonly people: readonly string[]
  /**
   * By index of the role. Used for matches without answers of their own and without officials already in them; the
   * other matches are in `castsByMatch`.
   */
  readonly casts: readonly Cast[]
  readonly castsByMatch: ReadonlyMap<string, readonly Cast[]>
}

export const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

export const timeOf = (frame: Frame, start: number) => frame.first + start * quarter

export function layOut({ matches, teams, officials, busy, rules }: SchedulingProblem): Grid {
  const frame = frameOf(rules)
  const roles = Object.entries(rules.officialsPerMatch)
    .map(([name, count]) => ({ name, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => byText(a.name, b.name))
  const playing = new Set(matches.flatMap((match) => match.teams.filter((team) => team !== null)))
  const people = [...officials].sort((a, b) => byText(a.id, b.id))
  const casts = roles.map(({ name }) =>
    people.map(({ id, roles: own }) => {
      const ranges = own.filter(({ role }) => role === name).flatMap(({ availability }) => availability)
      const takes = own.some(({ role }) => role === name)
      return takes ? marksOf(frame, ranges, busy.officials.get(id), 0) : null
    }),
  )
  return {
    frame,
    roles,
    seats: roles.flatMap(({ count }, role) => Array<number>(count).fill(role)),
    streams: rules.streams.map((name) => ({ name, taken: takenMarks(frame, busy.streams.get(name)) })),
    teams: new Map(
      [...playing].map((team) => [team, marksOf(frame, teams.get(team) ?? [], busy.teams.get(team), frame.rest)]),
    ),
    people: people.map(({ id }) => id),
    casts,
    castsByMatch: castsByMatch(people, roles, casts, matches),
  }
}

function castsByMatch(
  people: readonly Official[],
  roles: Grid['roles'],
  casts: readonly Cast[],
  matches: readonly SchedulingMatch[],
): ReadonlyMap<string, readonly Cast[]> {
  const own = new Map<string, (Uint8Array | null)[][]>()
  const castsOf = (match: string) => {
    const copy = own.get(match) ?? casts.map((cast) => [...cast])
    own.set(match, copy)
    return copy
  }
  for (const [person, official] of people.entries()) {
    for (const { role: name, matches: answers } of official.roles) {
      const role = roles.findIndex((each) => each.name === name)
      const marks = casts[role]?.[person]
      if (!marks) continue
      for (const [match, answer] of answers) {
        const row = castsOf(match)[role] as (Uint8Array | null)[]
        row[person] = marks.map((mark) => askedMark(mark, codes[answer]))
      }
    }
  }
  const indexes = new Map(people.map(({ id }, person) => [id, person]))
  for (const { id, people: held } of matches) {
    for (const person of held.map((each) => indexes.get(each)).filter((each) => each !== undefined)) {
      for (const row of castsOf(id)) row[person] = null
    }
  }
  return own
}

/** An answer for the match itself fills the gaps of a mark, but never improves it. */
function askedMark(mark: number, asked: number): number {
  return mark >= busy ? mark : Math.max(mark & ~unanswered, asked)
}

function frameOf({ minutesPerMatch, minRestMinutes, earliest, latest }: SchedulingProblem['rules']): Frame {
  const first = Math.ceil(earliest / quarter) * quarter
  const length = minutesPerMatch * minute
  const rest = minRestMinutes * minute
  return {
    first,
    starts: Math.max(0, Math.floor((latest - length - first) / quarter) + 1),
    length,
    rest,
    span: Math.ceil(length / quarter),
    gap: Math.ceil((length + rest) / quarter),
  }
}

/** The marks of one person or team, by start. */
function marksOf(
  frame: Frame,
  ranges: readonly Answered[],
  taken: readonly Span[] | undefined,
  rest: number,
): Uint8Array {
  const quarters = new Uint8Array(frame.starts + frame.span).fill(unanswered)
  for (const { start, end, status } of ranges) {
    const from = Math.max(0, Math.ceil((start - frame.first) / quarter))
    const to = Math.min(quarters.length, Math.floor((end - frame.first) / quarter))
    for (let at = from; at < to; at += 1) {
      const before = quarters[at] as number
      quarters[at] = before === unanswered ? codes[status] : Math.max(before, codes[status])
    }
  }
  const marks = new Uint8Array(frame.starts)
  for (let start = 0; start < frame.starts; start += 1) {
    let worst = 0
    let open = 0
    for (let at = start; at < start + frame.span; at += 1) {
      const mark = quarters[at] as number
      if (mark === unanswered) open = unanswered
      else if (mark > worst) worst = mark
    }
    marks[start] = worst + open
  }
  for (const [from, to] of hindered(frame, taken, rest)) {
    for (let start = from; start < to; start += 1) marks[start] = (marks[start] as number) | busy
  }
  return marks
}

/** 1 at each start at which a match would overlap what is taken. */
export function takenMarks(frame: Frame, taken: readonly Span[] | undefined): Uint8Array {
  const marks = new Uint8Array(frame.starts)
  for (const [from, to] of hindered(frame, taken, 0)) marks.fill(1, from, to)
  return marks
}

/** Half-open ranges of the starts at which a match, with `rest` on both sides, would overlap what is taken. */
function hindered(frame: Frame, taken: readonly Span[] | undefined, rest: number): [number, number][] {
  return (taken ?? []).map(({ start, end }) => {
    const from = Math.max(0, Math.floor((start - frame.length - rest - frame.first) / quarter) + 1)
    return [from, Math.max(from, Math.min(frame.starts, Math.ceil((end + rest - frame.first) / quarter)))]
  })
}

/** The mark without `busy`. */
export const withoutBusy = (mark: number) => mark & ~busy
