import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import type { Notice } from '../../people/notifications/types.ts'
import type { TournamentStatus } from '../../tournaments/tournaments/types.ts'
import type { EndReason, StreamSession } from './types.ts'

const needsNoCut: ReadonlySet<EndReason> = new Set(['done', 'replaced', 'lost'])

/**
 * Whether a session that ends for this reason must be cut. A stream that has ended already or was replaced needs no
 * cut. (S9)
 */
export function mustBeCut(reason: EndReason): boolean {
  return !needsNoCut.has(reason)
}

const sentences: Readonly<Partial<Record<EndReason, string>>> = {
  cut: 'Staff have ended it.',
  assignment_ended: 'The time for which you were to stream is over.',
  server_disabled: 'Its server is not in use any more.',
}

/**
 * The notification to a publisher whose stream somebody else ended; null if the publisher ended it.
 * (streaming: Stream operations)
 */
export function endingNotice(
  { guid, tournamentGuid, test }: Pick<StreamSession, 'guid' | 'tournamentGuid' | 'test'>,
  reason: EndReason,
  words: string | null,
): Notice | null {
  const sentence = test && reason === 'assignment_ended' ? 'The time of the test is over.' : sentences[reason]
  if (sentence === undefined) return null
  return {
    type: 'stream.cut',
    title: 'Your stream was ended',
    body: words === null ? sentence : `${sentence} ${words}`,
    data: { streamSessionGuid: guid, ...(tournamentGuid === null ? {} : { tournamentGuid }) },
  }
}

/** The notification about a key's use from a new network. (streaming: Stream operations) */
export function newNetworkNotice(label: string, keyGuid: string): Notice {
  return {
    type: 'stream_key.new_network',
    title: 'A stream key was used from a new network',
    body: `The key “${label}” was used from a network that it was not used from before. If that was not you, revoke it.`,
    data: { streamKeyGuid: keyGuid },
  }
}

/** The user whose path it is; null for any other path. */
export function userOfPath(path: string): string | null {
  const [, guid = ''] = /^\/?live\/([^/]+)\/?$/.exec(path) ?? []
  return isGuid(guid) ? normaliseGuid(guid) : null
}

/**
 * The player of the user's channel on the streaming site, shown for a side without a stream of its own. The site
 * requires the host of the page as `parent`. (S12)
 */
export function embedUrl(channel: string, publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  return `https://player.twitch.tv/?${new URLSearchParams({ channel, parent: hostname })}`
}

/** Who may publish, and for how long. */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The tolerance before an assignment begins and after it ends. (S4) */
export const slackMs = 30 * minute
/** The maximum duration of one test without an assignment. (S4) */
export const testMs = 10 * minute
/**
 * The maximum duration of a stream on a server without a control interface, as the service cannot ask whether it
 * continues. (S8)
 */
export const unwatchedMs = 12 * hour
/** The maximum lifetime of a stream that can only be ended by its lifetime. (streaming: Adapters) */
export const maxLifetimeMs = 4 * hour
/** A stream that began less than this time ago may not be in its server's list yet. (S8) */
export const settlingMs = 5 * second
/** The time between notifying publishers and ending their streams. (S11) */
export const noticeMs = 60 * second

/** An assignment of the publisher, with the members that decide. */
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
  /** What is left of the day's time for tests. */
  readonly testSecondsLeft: number
}

/** The terms on which a stream is let in. */
export interface Terms {
  readonly claim: Claim | null
  readonly test: boolean
  /** The end of the stream; null if it has none. */
  readonly endsBy: Date | null
}

/**
 * Decides on which terms the user may publish: with a current assignment, or without one if the server requires none.
 * Otherwise a test is allowed, for ten minutes at a time and half an hour a day; null once that is used up.
 * (S4; streaming: Details, 4)
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

/** Chooses the assignment: one that is active now takes precedence over those that begin soon or have just ended. */
function inForce(claims: readonly Claim[], now: Date): Claim | null {
  const open = claims.filter((claim) => isInForce(claim, now))
  const distance = ({ startsAt, endsAt }: Claim) =>
    Math.max(startsAt.getTime() - now.getTime(), now.getTime() - endsAt.getTime(), 0)
  return open.toSorted((one, other) => distance(one) - distance(other))[0] ?? null
}

/**
 * Whether the assignment is valid now: from half an hour before its start to half an hour after its end, while its
 * tournament is not over. (S4)
 */
export function isInForce(claim: Claim, now: Date): boolean {
  if (claim.tournamentStatus === 'completed' || claim.tournamentStatus === 'cancelled') return false
  return claim.startsAt.getTime() - slackMs <= now.getTime() && now < endOf(claim)
}

/**
 * An assignment that was ended by hand has an end that had passed when it was saved; it gets no tolerance. (S4, S11)
 */
function endOf({ endsAt, updatedAt }: Claim): Date {
  return updatedAt >= endsAt ? endsAt : new Date(endsAt.getTime() + slackMs)
}

function earliest(dates: readonly Date[]): Date | null {
  return dates.reduce<Date | null>((one, other) => (one === null || other < one ? other : one), null)
}

/**
 * The lifetime in milliseconds that the server is told, if it cannot be told later to end the stream; 0 for no limit.
 * (streaming: Adapters)
 */
export function lifetimeOf({ endsBy }: Pick<Terms, 'endsBy'>, isWatched: boolean, now: Date): number {
  if (isWatched) return 0
  const left = endsBy === null ? maxLifetimeMs : endsBy.getTime() - now.getTime()
  return Math.max(second, Math.min(left, maxLifetimeMs))
}
