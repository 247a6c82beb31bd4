import { listEntries, readWords } from '../../../core/list.ts'
import { invalid, missing } from '../../../core/problem.ts'
import { readInstant } from '../../../core/time.ts'
import { type Match, type MatchStatus, matchStatuses, type Side } from '../../../engine/types.ts'
import type { MatchPool, MatchRecord, PlannedPool, StoredGame, StoredSide } from './types.ts'

/** Converts a match to the engine's form, which names it by its number in the division. */
export function toEngine(record: MatchRecord): Match {
  const { number, section, round, winnerTo, loserTo, conditional, pairing, bestOf } = record
  const { decision, started, reopened, status, outcome, games } = record
  const [first, second] = record.sides
  return {
    number,
    section,
    round,
    winnerTo,
    loserTo,
    conditional,
    pairing,
    bestOf,
    decision,
    started,
    reopened,
    status,
    outcome,
    games,
    group: record.groupIndex,
    sides: [sideOf(first, record.team1Guid), sideOf(second, record.team2Guid)],
  }
}

function sideOf({ slot, from, bye, empty, score, result }: StoredSide, team: string | null): Side {
  const source = from === null ? null : { match: from.match, outcome: from.outcome }
  return { slot, from: source, bye, team, empty, score, result }
}

/**
 * The row of a match after the engine altered it.
 * @param now the time to store if the match has just begun or ended
 */
export function played(record: MatchRecord, match: Match, now: Date): MatchRecord {
  const { bestOf, decision, started, reopened, status, outcome } = match
  const [first, second] = match.sides
  const isCompleted = status === 'completed'
  return {
    ...record,
    bestOf,
    decision,
    started,
    reopened,
    status,
    outcome,
    // Games come from rows and requests only, and both give them this detail.
    games: match.games as readonly StoredGame[],
    team1Guid: first.team,
    team2Guid: second.team,
    sides: [stored(first, record.sides[0]), stored(second, record.sides[1])],
    startedAt: started ? (record.startedAt ?? now) : null,
    completedAt: isCompleted ? (record.completedAt ?? now) : null,
    revision: record.revision + 1,
    updatedAt: now,
  }
}

/** The tree never changes, so the side keeps its `from`. */
function stored({ slot, bye, empty, score, result }: Side, { from }: StoredSide): StoredSide {
  return { slot, from, bye, empty, score, result }
}

export function unknownMatch() {
  return missing('match.unknown', 'There is no such match in this tournament.')
}

export function unknownBracket() {
  return missing('bracket.unknown', 'There is no such bracket in this tournament.')
}

export function unknownDivision() {
  return missing('division.unknown', 'There is no such division in this tournament.')
}

/** The key of a round in `bestOfByRound` and in a plan of pools, such as `upper:1`. */
export function roundKeyOf({ section, round }: Pick<MatchRecord, 'section' | 'round'>): string {
  return `${section}:${round}`
}

/**
 * Returns the pool that is planned for a match: the pool of the match itself, else of its round, else of its bracket,
 * else of the tournament. Viewers who are not poolers see it once it is published. Until then they see none, since the
 * pool that is next in line would be wrong. (pools: Which pool a match uses)
 */
export function poolsOfMatches(
  planned: readonly PlannedPool[],
  isForPooler: boolean,
): (match: Pick<MatchRecord, 'guid' | 'bracketGuid' | 'section' | 'round'>) => MatchPool | null {
  if (planned.length === 0) return () => null
  const named = new Map(
    planned.map((plan) => [placeOf(plan.matchGuid ?? plan.bracketGuid ?? '', plan.round ?? ''), plan]),
  )
  return (match) => {
    const places = [
      placeOf(match.guid),
      placeOf(match.bracketGuid, roundKeyOf(match)),
      placeOf(match.bracketGuid),
      placeOf(''),
    ]
    const found = places.map((place) => named.get(place)).find((plan) => plan !== undefined)
    return found !== undefined && (isForPooler || found.isShown) ? found.pool : null
  }
}

function placeOf(guid: string, round = ''): string {
  return `${guid} ${round}`
}

/** @throws Problem `match.status_unknown` */
export function readStatuses(text: string): readonly MatchStatus[] {
  return readWords(listEntries(text), matchStatuses, 'status', 'match.status_unknown')
}

/** @throws Problem `match.instant_invalid` */
export function readBound(name: 'from' | 'to', text: string | undefined): Date | undefined {
  return readInstant(text, (reason) => invalid('match.instant_invalid', `\`${name}\` ${reason}.`)) ?? undefined
}

/** In which order the matches of all tournaments are listed. */
export const matchOrders = ['oldest', 'newest'] as const
export type MatchOrder = (typeof matchOrders)[number]

const minute = 60_000
export const defaultWindowDays = 30
const defaultWindow = defaultWindowDays * 86_400_000

/** A wanted status, and the period in which its matches must be; both ends are inclusive. */
export interface StatusWindow {
  readonly status: MatchStatus
  readonly from: Date | undefined
  readonly to: Date | undefined
}

/**
 * Without `from` and `to`, the list has the matches of the next 30 days and, whatever their time, those that are
 * running. The period begins with the present minute, so that the answer stays the same for a minute. (additions:
 * Matches of all tournaments)
 * @returns also when the period moves on; null if it does not depend on the clock
 * @throws Problem `match.status_unknown`, `match.instant_invalid`, `match.window_invalid`
 */
export function readStatusWindows(
  asked: { readonly status?: string | undefined; readonly from?: string | undefined; readonly to?: string | undefined },
  now: Date,
): { readonly windows: readonly StatusWindow[]; readonly movesAt: Date | null } {
  const statuses = asked.status === undefined ? matchStatuses : readStatuses(asked.status)
  const [from, to] = [readBound('from', asked.from), readBound('to', asked.to)]
  if (from !== undefined && to !== undefined && from.getTime() > to.getTime()) {
    throw invalid('match.window_invalid', '`from` must not be after `to`.')
  }
  if (from !== undefined || to !== undefined) {
    return { windows: statuses.map((status) => ({ status, from, to })), movesAt: null }
  }
  const start = Math.floor(now.getTime() / minute) * minute
  const next = { from: new Date(start), to: new Date(start + defaultWindow) }
  const always = { from: undefined, to: undefined }
  const windows = statuses.map((status) => ({ status, ...(status === 'running' ? always : next) }))
  return { windows, movesAt: statuses.some((status) => status !== 'running') ? new Date(start + minute) : null }
}
