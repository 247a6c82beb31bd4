import type { Answered, Schedule, SchedulingMatch, SchedulingProblem } from '../../src/engine/scheduling/types.ts'

/** The rules of schedules written a second time, in plain minutes, and schedules found by trying everything. */

const minute = 60_000
const quarter = 15 * minute

const ranks = { available: 0, maybe: 1, would_rather_not: 2, unavailable: 3 } as const
type Rank = (typeof ranks)[keyof typeof ranks]

/** The worst answer for any minute of a time. `gap` is the answer for minutes without one; null when that is null. */
function answerFor(answers: readonly Answered[], start: number, end: number, gap: Rank | null): Rank | null {
  let worst: Rank = 0
  for (let time = start; time < end; time += minute) {
    const given = answers.filter((each) => each.start <= time && time < each.end).map(({ status }) => ranks[status])
    const here = given.length === 0 ? gap : (Math.max(...given) as Rank)
    if (here === null) return null
    if (here > worst) worst = here
  }
  return gap !== null && gap > worst ? gap : worst
}

interface Stand {
  readonly match: SchedulingMatch
  readonly start: number
  readonly stream: string
  readonly crew: readonly { readonly id: string; readonly role: string }[]
}

const meet = (a: number, b: number, length: number) => Math.abs(a - b) < length

/** The rules that a match breaks at a place by itself, and the rules that it breaks together with another match. */
function* faultsOf(problem: SchedulingProblem, { match, start, stream, crew }: Stand): Generator<string> {
  const { rules, busy } = problem
  const end = start + rules.minutesPerMatch * minute
  const rest = rules.minRestMinutes * minute
  if (start % quarter !== 0) yield `${match.id} starts off the quarters`
  if (start < rules.earliest || end > rules.latest) yield `${match.id} is outside the window`
  if (start < (match.notBefore ?? start) || end > (match.notAfter ?? end)) yield `${match.id} is outside its own bounds`
  for (const team of match.teams) {
    if (team === null) continue
    const answer = answerFor(problem.teams.get(team) ?? [], start, end, null)
    if (answer === null || answer === 3) yield `${team} cannot play ${match.id}`
    for (const taken of busy.teams.get(team) ?? []) {
      if (start < taken.end + rest && taken.start < end + rest) yield `${team} plays elsewhere`
    }
  }
  if (!rules.streams.includes(stream)) yield `${stream} is no stream`
  for (const taken of busy.streams.get(stream) ?? []) {
    if (start < taken.end && taken.start < end) yield `${stream} is taken`
  }
  for (const [role, count] of Object.entries(rules.officialsPerMatch)) {
    if (crew.filter((each) => each.role === role).length !== count) yield `${match.id} has not ${count} ${role}`
  }
  for (const { role } of crew) if (!(role in rules.officialsPerMatch)) yield `${match.id} needs no ${role}`
  if (new Set(crew.map(({ id }) => id)).size !== crew.length) yield `${match.id} has somebody twice`
  for (const { id, role } of crew) {
    const answer = officialAnswer(problem, match.id, id, role, start, end)
    if (answer === null || answer === 3) yield `${id} cannot be ${role} of ${match.id}`
    for (const taken of busy.officials.get(id) ?? []) {
      if (start < taken.end && taken.start < end) yield `${id} is elsewhere`
    }
    if (match.people.includes(id)) yield `${id} is in ${match.id} already`
  }
  for (const id of match.people) {
    for (const taken of busy.officials.get(id) ?? []) {
      if (start < taken.end && taken.start < end) yield `${id}, who is in ${match.id}, is elsewhere`
    }
  }
}

function officialAnswer(
  problem: SchedulingProblem,
  match: string,
  id: string,
  role: string,
  start: number,
  end: number,
): Rank | null {
  const duty = problem.officials.find((each) => each.id === id)?.roles.find((each) => each.role === role)
  if (duty === undefined) return null
  const asked = duty.matches.get(match)
  return answerFor(duty.availability, start, end, asked === undefined ? null : ranks[asked])
}

function* faultsBetween(problem: SchedulingProblem, one: Stand, other: Stand): Generator<string> {
  const length = problem.rules.minutesPerMatch * minute
  const rested = length + problem.rules.minRestMinutes * minute
  const names = `${one.match.id} and ${other.match.id}`
  if (one.match.after.includes(other.match.id) && one.start < other.start + rested) yield `${names} are out of order`
  if (other.match.after.includes(one.match.id) && other.start < one.start + rested) yield `${names} are out of order`
  const shared = one.match.teams.some((team) => team !== null && other.match.teams.includes(team))
  if (shared && meet(one.start, other.start, rested)) yield `${names} share a team`
  if (!meet(one.start, other.start, length)) return
  if (one.stream === other.stream) yield `${names} share a stream`
  const others = everybodyIn(other)
  if (everybodyIn(one).some((id) => others.includes(id))) yield `${names} share somebody`
}

const everybodyIn = ({ match, crew }: Stand) => [...match.people, ...crew.map(({ id }) => id)]

export const standsOf = ({ matches }: SchedulingProblem, { placements }: Pick<Schedule, 'placements'>): Stand[] =>
  placements.flatMap(({ match: id, start, stream, officials }) =>
    matches.filter((match) => match.id === id).map((match) => ({ match, start, stream, crew: officials })),
  )

/** All rules that a schedule breaks. */
export function faults(problem: SchedulingProblem, { placements, unplaced }: Schedule): string[] {
  const matches = new Map(problem.matches.map((match) => [match.id, match]))
  const stands = standsOf(problem, { placements })
  const placed = new Set(placements.map(({ match }) => match))
  const told = [...placed, ...unplaced.map(({ match }) => match)]
  return [
    ...stands.flatMap((stand) => [...faultsOf(problem, stand)]),
    ...stands.flatMap((one, index) =>
      stands.slice(0, index).flatMap((other) => [...faultsBetween(problem, one, other)]),
    ),
    ...stands.flatMap(({ match }) =>
      match.after.filter((id) => !placed.has(id)).map((id) => `${match.id} without ${id}`),
    ),
    ...(told.length === new Set(told).size && told.length === matches.size ? [] : ['not every match is told of once']),
    ...placements
      .filter(({ start, end }) => end - start !== problem.rules.minutesPerMatch * minute)
      .map(() => 'length'),
    ...placements.flatMap(({ match, start, end, teams, officials }) => [
      ...teams.flatMap((status, side) => {
        const team = matches.get(match)?.teams[side] ?? null
        const answer = team === null ? null : answerFor(problem.teams.get(team) ?? [], start, end, null)
        return (status === null ? null : ranks[status]) === answer ? [] : [`${match}: wrong answer of ${team}`]
      }),
      ...officials
        .filter(({ id, role, status }) => officialAnswer(problem, match, id, role, start, end) !== ranks[status])
        .map(({ id }) => `${match}: wrong answer of ${id}`),
    ]),
  ]
}

/** All places that a match could have next to the others. */
export function* standsFor(
  problem: SchedulingProblem,
  match: SchedulingMatch,
  others: readonly Stand[],
): Generator<Stand> {
  const { rules } = problem
  if (!match.after.every((id) => others.some((other) => other.match.id === id))) return
  const roles = Object.entries(rules.officialsPerMatch).flatMap(([role, count]) => Array<string>(count).fill(role))
  const crews = crewsOf(problem, roles)
  for (let start = Math.ceil(rules.earliest / quarter) * quarter; start < rules.latest; start += quarter) {
    for (const stream of rules.streams) {
      for (const crew of crews) {
        const stand = { match, start, stream, crew }
        if (!faultsOf(problem, stand).next().done) continue
        if (others.every((other) => faultsBetween(problem, stand, other).next().done)) yield stand
      }
    }
  }
}

/**
 * The maximum number of matches that any schedule places, by trying all schedules; null when that would take too long.
 */
export function maxMatches(problem: SchedulingProblem): number | null {
  let best = 0
  let left = 3000
  const place = (index: number, placed: readonly Stand[]): void => {
    best = Math.max(best, placed.length)
    left -= 1
    const match = problem.matches[index]
    if (left < 0 || match === undefined || placed.length + problem.matches.length - index <= best) return
    for (const stand of standsFor(problem, match, placed)) place(index + 1, [...placed, stand])
    place(index + 1, placed)
  }
  place(0, [])
  return left < 0 ? null : best
}

/** The number of placed matches when each match in turn takes its first free place. */
export function firstComeFirstServed(problem: SchedulingProblem): number {
  const placed: Stand[] = []
  for (const match of problem.matches) {
    const { value } = standsFor(problem, match, placed).next()
    if (value) placed.push(value)
  }
  return placed.length
}

function crewsOf(problem: SchedulingProblem, roles: readonly string[]): readonly Stand['crew'][] {
  const [role, ...rest] = roles
  if (role === undefined) return [[]]
  return crewsOf(problem, rest).flatMap((crew) =>
    problem.officials
      .filter(({ id, roles: own }) => own.some((each) => each.role === role) && !crew.some((each) => each.id === id))
      .map(({ id }) => [{ id, role }, ...crew]),
  )
}
