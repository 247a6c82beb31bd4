import type { TournamentStatus } from '../../../tournaments/tournaments/types.ts'

/** Who may publish, and for how long. */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Before an assignment begins and after it ends. (S4) */
export const slackMs = 30 * minute
/** A stream without an assignment may be tried for so long at a time. (S4) */
export const testMs = 10 * minute
/** Without a control interface nobody can be asked whether a stream goes on. (S8) */
export const unwatchedMs = 12 * hour
/** Where a stream can only be ended by its lifetime. (streaming: Adapters) */
export const longestLifetimeMs = 4 * hour
/** A stream that began so shortly ago may not be among what its server names yet. (S8) */
export const settlingMs = 5 * second
/** Who publishes is told first. (S11) */
export const noticeMs = 60 * second

/** An assignment of the publisher, as far as it decides. */
export interface Claim {
  readonly guid: string
  readonly tournamentGuid: string
  readonly tournamentStatus: TournamentStatus
  readonly startsAt: Date
  readonly endsAt: Date
  readonly updatedAt: Date
}

export interface Publishing {
  readonly claims: readonly Claim[]
  readonly assignmentRequired: boolean
  /** Whether the server has a control interface. */
  readonly isWatched: boolean
  /** When the key ends by itself. */
  readonly keyExpiresAt: Date | null
  /** Of the day's allowance of tests. */
  readonly testSecondsLeft: number
}

/** On which terms a stream is let in. */
export interface Terms {
  readonly claim: Claim | null
  readonly test: boolean
  /** null for as long as it goes on. */
  readonly endsBy: Date | null
}

/**
 * Publishing is allowed with an assignment in force, where the server requires one; without it a test is, for ten minutes at a
 * time and half an hour a day. (S4; streaming: Details, 4)
 */
export function termsOf(publishing: Publishing, now: Date): Terms | null {
  const { claims, assignmentRequired, isWatched, keyExpiresAt, testSecondsLeft } = publishing
  const bounds = [
    ...(keyExpiresAt === null ? [] : [keyExpiresAt]),
    ...(isWatched ? [] : [new Date(now.getTime() + unwatchedMs)]),
  ]
  const claim = inForce(claims, now)
  if (claim !== null) return { claim, test: false, endsBy: earliest([...bounds, endOf(claim)]) }
  if (!assignmentRequired) return { claim: null, test: false, endsBy: earliest(bounds) }
  if (testSecondsLeft <= 0) return null
  const left = Math.min(testMs, testSecondsLeft * second)
  return { claim: null, test: true, endsBy: earliest([...bounds, new Date(now.getTime() + left)]) }
}

/** Of several assignments the one that is on now goes before those that are about to begin, or have just ended. */
function inForce(claims: readonly Claim[], now: Date): Claim | null {
  const open = claims.filter((claim) => isInForce(claim, now))
  const distance = ({ startsAt, endsAt }: Claim) =>
    Math.max(startsAt.getTime() - now.getTime(), now.getTime() - endsAt.getTime(), 0)
  return open.toSorted((one, other) => distance(one) - distance(other))[0] ?? null
}

/** From half an hour before it begins until half an hour after it ends by itself, while its tournament is not over. (S4) */
export function isInForce(claim: Claim, now: Date): boolean {
  if (claim.tournamentStatus === 'completed' || claim.tournamentStatus === 'cancelled') return false
  return claim.startsAt.getTime() - slackMs <= now.getTime() && now < endOf(claim)
}

/** Who ends an assignment gives it an end that has come: there is no slack after that. (S4, S11) */
function endOf({ endsAt, updatedAt }: Claim): Date {
  return updatedAt >= endsAt ? endsAt : new Date(endsAt.getTime() + slackMs)
}

function earliest(dates: readonly Date[]): Date | null {
  return dates.reduce<Date | null>((one, other) => (one === null || other < one ? other : one), null)
}

/** For how long a server lets a stream go on that it cannot be told to end; 0 for as long as it likes. (streaming: Adapters) */
export function lifetimeOf({ endsBy }: Pick<Terms, 'endsBy'>, isWatched: boolean, now: Date): number {
  if (isWatched) return 0
  const left = endsBy === null ? longestLifetimeMs : endsBy.getTime() - now.getTime()
  return Math.max(second, Math.min(left, longestLifetimeMs))
}
