import type { FlowState, Match, TournamentStream } from '../../../../client/generated.ts'
import type { ChannelOf } from './console.ts'
import { groupOf, hasReferee } from './console.ts'

/** What keeps a match from beginning or going on, or its audience from seeing it. */

export interface Problem {
  readonly match: Match
  readonly kind: 'late' | 'paused' | 'claim' | 'warning' | 'stuck' | 'forfeit' | 'referee' | 'silent'
  /** Since when; null where that is not known. */
  readonly since: string | null
  /** The seat that it is about, from 1. */
  readonly seat?: number
  readonly game?: number
  /** What is left of a stopped clock, in milliseconds. */
  readonly leftMs?: number
  /** Why a session waits for a referee. */
  readonly stuck?: string
  readonly count?: number
}

export interface Situation {
  readonly matches: readonly Match[]
  /** By the GUID of their match. */
  readonly flows: ReadonlyMap<string, FlowState>
  readonly channels: readonly ChannelOf[]
  readonly streams: readonly TournamentStream[]
  /** Whether the tournament has referees at all. */
  readonly needsReferees: boolean
  /** Milliseconds since 1970. */
  readonly time: number
}

/** A match without a referee is one only shortly before it begins. */
const soonMs = 30 * 60_000

/** All problems, the oldest first; those without a known beginning come last. */
export function problemsOf(situation: Situation): readonly Problem[] {
  return situation.matches
    .flatMap((match) => [...ofTime(match, situation), ...ofFlow(match, situation), ...ofStream(match, situation)])
    .toSorted(
      (one, other) => (one.since ?? '9').localeCompare(other.since ?? '9') || one.match.number - other.match.number,
    )
}

function ofTime(match: Match, { needsReferees, time }: Situation): readonly Problem[] {
  const group = groupOf(match, time)
  const starts = match.scheduledAt === null ? Number.POSITIVE_INFINITY : Date.parse(match.scheduledAt)
  const isNear = group === 'running' || starts - time <= soonMs
  return [
    ...(group === 'late' ? [{ match, kind: 'late', since: match.scheduledAt } as const] : []),
    ...(needsReferees && isNear && !hasReferee(match)
      ? [{ match, kind: 'referee', since: match.startedAt } as const]
      : []),
  ]
}

function ofFlow(match: Match, { flows }: Situation): readonly Problem[] {
  const state = match.status === 'running' ? flows.get(match.guid) : undefined
  if (state === undefined || (state.status !== 'running' && state.status !== 'paused')) return []
  const { clock, claims, warnings, proposals, stuck, turn } = state
  const blocking = warnings.filter((each) => each.blocking)
  const seat = turn?.seats.length === 1 ? turn.seats[0] : undefined
  return [
    ...(state.status === 'paused'
      ? [
          {
            match,
            kind: 'paused',
            since: clock?.pausedAt ?? null,
            ...(seat !== undefined && { seat }),
            ...(clock?.remainingMs != null && { leftMs: clock.remainingMs }),
          } as const,
        ]
      : []),
    ...claims
      .filter(({ status }) => status === 'open')
      .map(({ at, seat, game }) => ({ match, kind: 'claim', since: at, seat, game }) as const),
    ...(blocking.length > 0 ? [{ match, kind: 'warning', since: null, count: blocking.length } as const] : []),
    ...(stuck !== null && blocking.length === 0 ? [{ match, kind: 'stuck', since: null, stuck } as const] : []),
    ...proposals.map(({ at, seat }) => ({ match, kind: 'forfeit', since: at, seat }) as const),
  ]
}

/** A running match that a channel shows, while none of those who stream it is live. */
function ofStream(match: Match, { channels, streams }: Situation): readonly Problem[] {
  if (match.status !== 'running') return []
  const isOnAir = channels.some(({ queue }) =>
    queue?.entries.some((entry) => entry.match.guid === match.guid && entry.status === 'live'),
  )
  if (!isOnAir) return []
  const own = streams.filter((stream) => stream.match === null || stream.match.guid === match.guid)
  // Of channels elsewhere it is not known.
  return own.length > 0 && own.every(({ live }) => live === false) ? [{ match, kind: 'silent', since: null }] : []
}
