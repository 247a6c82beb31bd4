import { conflict, invalid, missing, type Problem } from '../../../core/problem.ts'
import { readInstant } from '../../../core/time.ts'
import type { Notice } from '../../people/notifications/types.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { readTexts } from '../badges/rules/badges.ts'
import { readLabel } from '../badges/rules/grants.ts'
import { type BadgeKind, badgeLimits } from '../badges/types.ts'
import type { BadgeInput } from './bodies.ts'
import type { BadgeRequest, FinalRoster, RequestedBadge, RequestedRecipient, RequestStatus } from './types.ts'

/** Limits of one request. (badges: Records) */
export const maxBadges = 10
export const maxRecipients = 500

/** The maximum number of requests of a tournament, whatever their status. */
export const maxRequests = 50

const dayMs = 86_400_000
const askedForMs = 90 * dayMs

export function unknownRequest(): Problem {
  return missing('badge_request.unknown', 'There is no such request for badges.')
}

/** A tournament has at most one pending request. (badges: States of a request) */
export function alreadyPending(): Problem {
  return conflict(
    'badge_request.pending',
    'A request of this tournament is waiting already; change that one, or withdraw it first.',
  )
}

/**
 * Limits the requests of a tournament, because all are kept and managers are notified of each. (badges: Records; D8)
 * @throws Problem `badge_request.limit_reached`
 */
export function checkRoom(made: number): void {
  if (made < maxRequests) return
  throw conflict(
    'badge_request.limit_reached',
    `The tournament has made ${maxRequests} requests, as many as it may; ask those who manage badges.`,
  )
}

/**
 * Badges may be requested for completed tournaments only. (B5, badges: States of a request)
 * @throws Problem `tournament.not_completed`
 */
export function checkCompleted({ status }: Pick<Tournament, 'status'>): void {
  if (status !== 'completed') throw conflict('tournament.not_completed', 'The tournament is not completed.')
}

/**
 * Badges may be requested up to 90 days after the tournament was completed. (badges: States of a request)
 * @throws Problem `badge_request.too_late`
 */
export function checkInTime({ completedAt }: Pick<Tournament, 'completedAt'>, now: Date): void {
  if (completedAt === null || now.getTime() - completedAt.getTime() <= askedForMs) return
  throw conflict('badge_request.too_late', 'Badges can be asked for until 90 days after the tournament was completed.')
}

const sentences: Readonly<Record<Exclude<RequestStatus, 'pending'>, string>> = {
  approved: 'The request was approved already.',
  rejected: 'The request was rejected already; ask again with a new one.',
  withdrawn: 'The request was withdrawn.',
}

/**
 * Only a pending request can be changed, withdrawn or decided. (badges: States of a request)
 * @throws Problem `badge_request.decided`
 */
export function checkPending({ status }: Pick<BadgeRequest, 'status'>): void {
  if (status !== 'pending') throw conflict('badge_request.decided', sentences[status])
}

/**
 * A change or decision must name the version of the request that the sender has read. (badges: Operations)
 * @throws Problem `request.invalid`, `badge_request.stale`
 */
export function checkNotStale({ updatedAt }: Pick<BadgeRequest, 'updatedAt'>, expected: string): void {
  const seen = readInstant(expected, (reason) =>
    invalid('request.invalid', `The body's member "expectedUpdatedAt" ${reason}.`),
  )
  if (seen?.getTime() === updatedAt.getTime()) return
  throw conflict('badge_request.stale', 'The request was changed meanwhile; read it again, and then decide.')
}

/** A rejection needs a reason. @throws Problem `badge_request.reason_missing` (badges: States of a request) */
export function readReason(decision: 'approved' | 'rejected', given: string | null | undefined): string | null {
  if (decision === 'rejected' && !given) {
    throw invalid('badge_request.reason_missing', 'Give a "reason": the organiser is told why.')
  }
  return given || null
}

/** The time of a change, always later than the previous one, so that versions can be told apart. */
export function laterThan({ updatedAt }: Pick<BadgeRequest, 'updatedAt'>, now: Date): Date {
  return new Date(Math.max(now.getTime(), updatedAt.getTime() + 1))
}

/**
 * Reads the badges of a request: 1 to 500 recipients in all, and each user once for a badge, even under different
 * identifiers. (badges: Records)
 * @param found GUIDs of users by the identifiers in the request
 * @throws Problem `badge.invalid`, `badge_request.invalid`, `user.unknown`
 */
export function readBadges(
  inputs: readonly BadgeInput[],
  found: ReadonlyMap<string, string>,
): readonly (RequestedBadge & { readonly mediaGuid: string })[] {
  const count = countRecipients(inputs)
  if (count < 1 || count > maxRecipients) {
    throw invalid('badge_request.invalid', `Name 1 to ${maxRecipients} recipients in all.`)
  }
  return inputs.map(({ name, description, kind, mediaGuid, recipients }, index) => {
    const read = recipients.map(({ user, label, place }, position) => {
      const userGuid = found.get(user)
      if (userGuid === undefined) {
        throw missing('user.unknown', `There is no such user: badges[${index}].recipients[${position}].`)
      }
      return { userGuid, label: readLabel(label), place: place ?? null }
    })
    const twice = read.findIndex(({ userGuid }, at) => read.findIndex((other) => other.userGuid === userGuid) < at)
    if (twice >= 0) {
      const member = `badges[${index}].recipients[${twice}]`
      throw invalid('badge_request.invalid', `${member} names a user whom the badge has already; name each once.`)
    }
    return { ...readTexts({ name, description, kind }), mediaGuid: mediaGuid.toLowerCase(), recipients: read }
  })
}

export function countRecipients(badges: readonly { readonly recipients: readonly unknown[] }[]): number {
  return badges.reduce((sum, { recipients }) => sum + recipients.length, 0)
}

/** @throws Problem `media.reference_invalid` */
export function unusablePicture(index: number): Problem {
  return invalid(
    'media.reference_invalid',
    `badges[${index}].mediaGuid names no picture that may stand there; upload one of the kind badge_image for the tournament.`,
  )
}

/** A badge that is proposed to the organiser. Its picture must still be chosen. */
export interface DraftBadge {
  readonly name: string
  readonly description: string
  readonly kind: BadgeKind
  readonly recipients: readonly RequestedRecipient[]
}

/** The number of first places that get a badge of their own. */
const ownBadges = 3

/** 1st, 2nd, 3rd, 11th, 22nd, … */
export function ordinal(place: number): string {
  const isTeen = Math.floor(place / 10) % 10 === 1
  const ending = isTeen ? undefined : ({ 1: 'st', 2: 'nd', 3: 'rd' } as Readonly<Record<number, string>>)[place % 10]
  return `${place}${ending ?? 'th'}`
}

/**
 * Proposes a badge for each of the first three places, and one for everybody else who was placed. The recipients are
 * taken from the rosters, best places first, up to the size of a request. (B5)
 */
export function draftOf(tournamentName: string, rosters: readonly FinalRoster[]): readonly DraftBadge[] {
  const placed = rosters
    .toSorted((one, other) => one.place - other.place)
    .flatMap(({ place, userGuids }) =>
      userGuids.map((userGuid) => ({ userGuid, place, label: `${ordinal(place)} place` })),
    )
    .slice(0, maxRecipients)
  const best = Array.from({ length: ownBadges }, (_, index) => index + 1).map(
    (place): DraftBadge => ({
      name: named(tournamentName, `${ordinal(place)} place`),
      description: `Took the ${ordinal(place)} place in ${tournamentName}.`.slice(0, 280),
      kind: 'placement',
      recipients: placed.filter((one) => one.place === place),
    }),
  )
  const others: DraftBadge = {
    name: named(tournamentName, 'participant'),
    description: `Played in ${tournamentName}.`.slice(0, 280),
    kind: 'participation',
    recipients: placed.filter((one) => one.place > ownBadges),
  }
  return [...best, others].filter(({ recipients }) => recipients.length > 0)
}

/** The name of a badge. A long tournament name is cut to fit the limit. */
function named(tournamentName: string, what: string): string {
  const room = badgeLimits.name - what.length - 2
  const name = [...tournamentName]
  const cut =
    name.length <= room
      ? tournamentName
      : `${name
          .slice(0, room - 1)
          .join('')
          .trimEnd()}…`
  return `${cut}: ${what}`
}

type Named = Pick<BadgeRequest, 'guid' | 'tournament'>

function dataOf({ guid, tournament }: Named) {
  return { badgeRequestGuid: guid, tournamentGuid: tournament.guid }
}

/** Notifies managers of a new request. (badges: States of a request) */
export function askedNotice(request: Named): Notice {
  return {
    type: 'badge_request.created',
    title: `Badges are asked for: ${request.tournament.name}`,
    body: 'The request waits for your decision.',
    data: dataOf(request),
  }
}

/** Notifies the organiser of the decision. (badges: States of a request) */
export function decidedNotice(request: Named & Pick<BadgeRequest, 'status' | 'reason'>): Notice {
  const { status, reason, tournament } = request
  const isApproved = status === 'approved'
  return {
    type: `badge_request.${isApproved ? 'approved' : 'rejected'}`,
    title: `Badges of ${tournament.name} were ${isApproved ? 'approved' : 'rejected'}`,
    body: reason ?? 'Their recipients have them now.',
    data: dataOf(request),
  }
}

/** Notifies a recipient once of all badges of a request. (badges: States of a request) */
export function grantedNotice(request: Named, names: readonly string[]): Notice {
  const [only] = names
  return {
    type: 'badge.granted',
    title: names.length === 1 ? `You have a new badge: ${only}` : `You have ${names.length} new badges`,
    body: `For ${request.tournament.name}${names.length === 1 ? '' : `: ${names.join(', ')}`}.`,
    data: { tournamentGuid: request.tournament.guid },
  }
}

/** Notifies the organiser that granted badges stay after the tournament is reopened. (B6) */
export function reopenedNotice(tournament: { readonly guid: string; readonly name: string }): Notice {
  return {
    type: 'badge.tournament_reopened',
    title: `Badges of ${tournament.name} stay with their holders`,
    body: 'The tournament was reopened after badges were given. Managers of badges can revoke those that are wrong.',
    data: { tournamentGuid: tournament.guid },
  }
}
