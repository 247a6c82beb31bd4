import { conflict, missing, type Problem } from '../../../core/problem.ts'
import type { Notice } from '../notifications/types.ts'
import type { AwaitedPlace, Claim, ClaimLink, LinkStatus, Place, Placeholder } from './types.ts'

/** Rules by which people take over their placeholders. (additions: People who are not here yet) */

const dayMs = 86_400_000
export const linkDays = 30
export const undoDays = 14
/** The most links of a placeholder that are kept. */
export const maxLinks = 50

/** A link works for 30 days. (additions: People who are not here yet) */
export function endOfLink(now: Date): Date {
  return new Date(now.getTime() + linkDays * dayMs)
}

export function undoableUntil({ createdAt }: Pick<Claim, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + undoDays * dayMs)
}

/** A link works once, until it is revoked. (additions: People who are not here yet) */
export function statusOf({ usedAt, revokedAt, expiresAt }: ClaimLink, now: Date): LinkStatus {
  if (usedAt !== null) return 'used'
  if (revokedAt !== null) return 'revoked'
  return expiresAt <= now ? 'expired' : 'open'
}

/**
 * Links are for people whose chat account is not known: another one becomes the person by itself.
 * (additions: People who are not here yet)
 * @throws Problem `claim.has_account`, `claim.too_many_links`
 */
export function checkMayLink({ chatPlatformId, preferredName }: Placeholder, links: readonly ClaimLink[]): void {
  if (chatPlatformId !== '') {
    throw conflict(
      'claim.has_account',
      `${preferredName} is known by a chat account, which becomes the person without a link.`,
    )
  }
  if (links.length >= maxLinks) {
    throw conflict('claim.too_many_links', `${preferredName} has had ${maxLinks} links, as many as there may be.`)
  }
}

/** The answer for every link that does not work; it does not tell why. */
export function unknownClaimLink(): Problem {
  return missing('claim.unknown', 'This link does not work: it was used or revoked, or is older than 30 days.')
}

export function unknownClaim(): Problem {
  return missing('claim.unknown', 'There is no such claim.')
}

/** The tournaments in which both have a place. */
export function conflictsOf(one: readonly Place[], other: readonly Place[]): Place[] {
  const guids = new Set(other.map(({ tournament }) => tournament.guid))
  return one.filter(({ tournament }) => guids.has(tournament.guid))
}

/**
 * A user cannot be two people in one tournament. (additions: People who are not here yet)
 * @throws Problem `claim.conflict`
 */
export function checkNoConflict(conflicts: readonly Place[]): void {
  if (conflicts.length === 0) return
  const names = conflicts.map(({ tournament }) => tournament.name).join(', ')
  throw conflict('claim.conflict', `You have a place of your own in ${names}; leave it, or ask the organiser.`, {
    tournaments: conflicts.map(({ tournament }) => tournament),
  })
}

/**
 * A claim is taken back once, within 14 days, unless the person has played since.
 * (additions: People who are not here yet)
 * @throws Problem `claim.undone`, `claim.too_late`, `claim.played`
 */
export function checkUndoable(claim: Claim, hasPlayed: boolean, now: Date): void {
  if (claim.undoneAt !== null) throw conflict('claim.undone', 'This claim was taken back before.')
  if (undoableUntil(claim) <= now) {
    throw conflict('claim.too_late', `A claim can be taken back for ${undoDays} days.`)
  }
  if (hasPlayed) throw conflict('claim.played', 'The person has played since, so that the claim stays.')
}

/** The answer to everybody whose place it is not, whether there is one or not. (P6) */
export function unknownPlace(): Problem {
  return missing('user.unknown', 'There is no place that waits for you here.')
}

/** The notification of a place that an imported tournament keeps for an account. (P6) */
export function awaitedNotice({ placeholderGuid, name, tournament }: AwaitedPlace): Notice {
  return {
    type: 'claim.waiting',
    title: `A place in ${tournament.name} waits for you`,
    body: `The tournament was imported, and “${name}” in it has your chat account. If you take the place, its teams, answers and results are yours. Until then nothing there names your account.`,
    data: { placeholderGuid, tournamentGuid: tournament.guid },
  }
}
