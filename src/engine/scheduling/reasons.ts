import { countFree, type Entry, hasTime, type Relation, startOf } from './entries.ts'
import type { Timetable } from './timetable.ts'
import type { Assigned, Obstacle, Placement, Willing } from './types.ts'

/** The explanations of a schedule in sentences. They state only checkable facts that the search knows. */

type Names = ReadonlyMap<string, string>

const named = (names: Names, id: string) => names.get(id) ?? id
const count = (n: number, noun: string, plural = `${noun}s`) => `${n} ${n === 1 ? noun : plural}`
const list = (parts: readonly string[]) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

const wills: Readonly<Record<Willing, string>> = {
  available: 'is available',
  maybe: 'may be available',
  would_rather_not: 'would rather not',
}

type Cause = Relation | 'people' | 'streams' | 'officials' | 'fairness'

const causes: Readonly<Record<Cause, string>> = {
  shares: 'because a team plays or rests',
  before: 'because a match before it is not over',
  after: 'because a match after it follows',
  people: 'because people in it are elsewhere',
  streams: 'because every stream is taken',
  officials: 'for want of officials',
  fairness: 'because people would put up with more',
}

/** The reason for the place of a match, in sentences. */
export function reasonOf(table: Timetable, entry: Entry, placement: Omit<Placement, 'reason'>, names: Names): string {
  const crew = crewSentence(placement.officials)
  const sentences = [teamsSentence(entry, placement, names), ...(crew === null ? [] : [crew])]
  return [...sentences, choiceSentence(table, entry)].join(' ')
}

function teamsSentence({ match }: Entry, { teams }: Omit<Placement, 'reason'>, names: Names): string {
  const known = match.teams.flatMap((team, side) => {
    const will = teams[side]
    return team === null || !will ? [] : [{ name: named(names, team), will }]
  })
  if (known.length === 0) return 'The teams are not known yet.'
  if (known.length === 2 && known.every(({ will }) => will === 'available')) return 'Both teams are available.'
  const each = list(known.map(({ name, will }) => `${name} ${wills[will]}`))
  return known.length === 1 ? `${each}; the other team is not known yet.` : `${each}.`
}

function crewSentence(officials: readonly Assigned[]): string | null {
  const [only] = officials
  if (only === undefined) return null
  if (officials.length === 1) return `The official ${wills[only.status]}.`
  const parts = (['maybe', 'would_rather_not'] as const).flatMap((status) => {
    const some = officials.filter((official) => official.status === status).length
    return some === 0 ? [] : [`${some} ${wills[status]}`]
  })
  return parts.length === 0 ? 'All officials are available.' : `Of ${officials.length} officials ${list(parts)}.`
}

/** The number of suitable slots, and why better ones were passed over. */
function choiceSentence(table: Timetable, entry: Entry): string {
  const place = table.remove(entry.index)
  if (place === null) return ''
  const passed = new Map<Cause, number>()
  for (const choice of entry.choices) {
    const start = startOf(choice)
    if (start === place.start) break
    countIn(passed, causeAt(table, entry, start))
  }
  table.put(entry.index, place)
  const { staffed, suits } = entry
  const whom = suiting(entry, suits, 'in the window')
  const staff =
    table.board.seats.length === 0 ? '' : `, ${staffed === suits ? 'all' : `${staffed} of them`} with officials`
  const slots = `There ${suits === 1 ? 'is' : 'are'} ${count(suits, 'slot')} ${whom}${suits === 1 ? '' : staff}`
  const before = [...passed.values()].reduce((sum, each) => sum + each, 0)
  if (before === 0) return `${slots}; this is the first choice.`
  return `${slots}; ${count(before, 'better one was', 'better ones were')} passed over: ${describe(passed)}.`
}

/**
 * The phrase that names the teams and people that the counted slots suit. People in the match are named only where some
 * slot does not suit them.
 */
function suiting({ teams, suits, suitsTeams }: Entry, n: number, nobody: string): string {
  const theTeams = teams.length === 0 ? [] : [teams.length === 1 ? 'the team' : 'the teams']
  const whom = [...theTeams, ...(suits < suitsTeams && suits > 0 ? ['the people in it'] : [])]
  return whom.length === 0 ? nobody : `that ${n === 1 ? 'suits' : 'suit'} ${list(whom)}`
}

function countIn(counts: Map<Cause, number>, cause: Cause): void {
  counts.set(cause, (counts.get(cause) ?? 0) + 1)
}

/** The cause that keeps a match from a start that it could have if it were the only match. */
function causeAt(table: Timetable, entry: Entry, start: number): Cause {
  const relation = table.clash(entry, start)
  if (relation !== null) return relation
  if (table.freeStream(start) < 0) return 'streams'
  return table.offerAt(entry.index, start) === null ? 'officials' : 'fairness'
}

function describe(causesByCount: ReadonlyMap<Cause, number>): string {
  const ordered = (Object.keys(causes) as Cause[]).filter((cause) => causesByCount.has(cause))
  return list(ordered.map((cause) => `${causesByCount.get(cause)} ${causes[cause]}`))
}

/** The code and a sentence for a match without a place. */
export function refusalOf(table: Timetable, entry: Entry, names: Names): { code: Obstacle; reason: string } {
  const code = obstacleOf(table, entry)
  return { code, reason: refusal(table, entry, code, names) }
}

function obstacleOf(table: Timetable, entry: Entry): Obstacle {
  if (entry.obstacle !== null) return entry.obstacle
  return entry.near.some(({ index, relation }) => relation === 'before' && table.places[index] === null)
    ? 'match_before'
    : 'taken'
}

function refusal(table: Timetable, entry: Entry, code: Obstacle, names: Names): string {
  const { frame, teams } = table.board
  const minutes = `${frame.length / 60_000} minutes`
  const called = list(entry.teams.map((team) => named(names, team)))
  switch (code) {
    case 'window_too_short':
      return `No match of ${minutes} fits between the earliest and the latest time.`
    case 'match_before':
      return matchBefore(table, entry)
    case 'order':
      return 'The matches before and after it leave no time that it could have.'
    case 'team_without_time': {
      const without = entry.teams.filter((team) => !hasTime(teams.get(team) as Uint8Array))
      return `${list(without.map((team) => named(names, team)))} gave no time of ${minutes} in the window.`
    }
    case 'no_common_time':
      return `${called} gave no time of ${minutes} in common.`
    case 'team_busy':
      return `${called} ${entry.teams.length === 1 ? 'plays or rests' : 'play or rest'} at every time that would suit.`
    case 'people':
      return `In ${slotsFor(entry, entry.suitsTeams)} somebody who plays or works in it is elsewhere.`
    case 'streams':
      return table.board.streams.length === 0
        ? 'There is no stream to play on.'
        : `No stream is free in ${slotsFor(entry, entry.suits)}.`
    case 'officials':
      return officialsMissing(table, entry, names)
    case 'taken':
      return taken(table, entry)
  }
}

function matchBefore(table: Timetable, entry: Entry): string {
  const feeders = entry.near.filter(({ relation }) => relation === 'before').map(({ index }) => index)
  if (feeders.length < new Set(entry.match.after).size) {
    return 'A match before it is neither scheduled nor part of this proposal.'
  }
  const numbers = feeders
    .filter((index) => table.places[index] === null)
    .map((index) => String(table.board.entries[index]?.match.number))
  return numbers.length === 1
    ? `Match ${numbers[0]}, which must come before it, could not be placed.`
    : `Matches ${list(numbers)}, which must come before it, could not be placed.`
}

function officialsMissing({ board }: Timetable, entry: Entry, names: Names): string {
  const all = entry.streamed.length
  const short = board.roles.flatMap(({ name, count: needed }, role) => {
    const free = entry.streamed.map((start) => countFree(entry.casts[role] ?? [], start))
    const slots = free.filter((each) => each < needed).length
    if (slots === 0) return []
    return [
      `${named(names, name)} (at most ${Math.max(...free.filter((each) => each < needed))} of ${needed}${slots < all ? ` in ${slots} of them` : ''})`,
    ]
  })
  const where = `${slotsFor(entry, all)}${all < entry.suits ? ' and have a stream' : ''}`
  return short.length === 0
    ? `In ${where} the same people are needed in several roles at once.`
    : `In ${where} officials are missing: ${list(short)}.`
}

function taken(table: Timetable, entry: Entry): string {
  const lost = new Map<Cause, number>()
  for (const choice of entry.choices) countIn(lost, causeAt(table, entry, startOf(choice)))
  const n = entry.choices.length
  return `Other matches hold what it needs in ${n === 1 ? 'its only possible slot' : `all of its ${n} possible slots`}: ${describe(lost)}.`
}

function slotsFor(entry: Entry, n: number): string {
  const whom = suiting(entry, n, 'of the window')
  return n === 1 ? `the only slot ${whom}` : `all ${n} slots ${whom}`
}
