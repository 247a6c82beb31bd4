import { invalid, Problem } from '../../../core/problem.ts'
import { digestOf } from '../../../infra/secrets.ts'
import type { Services } from '../../../services.ts'
import type { Verification, VerificationOfUser, VerificationStatus } from './types.ts'

/**
 * The token in a link is derived from its verification's GUID with the secret of this installation. The mail job
 * derives it again, so it is not stored. The GUID may be shown, as it reveals nothing about the token.
 */
export function tokenOf({ seal }: Pick<Services, 'seal'>, guid: string): string {
  return seal(`email-verification.${guid}`)
}

/** The hash by which a token is found; null for a text that cannot be a token. */
export function hashOf(token: string): Buffer | null {
  return /^[\w-]{43}$/.test(token) ? digestOf(token) : null
}

/** The address in the mail. Opening its page changes nothing, as mail scanners open it, too. */
export function linkOf({ config, seal }: Pick<Services, 'config' | 'seal'>, guid: string): string {
  return `${config.publicUrl}/api/email-verifications/${tokenOf({ seal }, guid)}`
}

const hourMs = 3_600_000

/** When a link expires: 24 hours after the request. (additions: Users) */
export function expiryOf(requestedAt: Date): Date {
  return new Date(requestedAt.getTime() + 24 * hourMs)
}

/**
 * Requests are kept for a week after their link has expired, so that administrators can answer questions about them.
 */
export function sweptBefore(now: Date): Date {
  return new Date(now.getTime() - 7 * 24 * hourMs)
}

/** The number of newest requests that are kept per user: more than the hourly limit has to count. */
export const keptPerUser = 20

/** The maximum number of mails in an hour, to one address and for one user. */
export const mailsPerHour = 5

export function countedSince(now: Date): Date {
  return new Date(now.getTime() - hourMs)
}

/**
 * In an hour, a user can request at most five mails, and an address gets at most five, from all users together. The
 * error is the same for both, so that it does not reveal whether other users named the address. (D13)
 *
 * @param ofUser the times of the user's newest requests since `countedSince`, newest first; `toAddress` likewise
 * @throws Problem `email.too_often` with `Retry-After`
 */
export function checkNotTooOften(ofUser: readonly Date[], toAddress: readonly Date[], now: Date): void {
  const seconds = Math.max(waitSeconds(ofUser, now), waitSeconds(toAddress, now))
  if (seconds === 0) return
  throw new Problem(
    'limited',
    'email.too_often',
    `Too many verification mails were asked for; try again in ${Math.ceil(seconds / 60)} min.`,
    { headers: { 'retry-after': String(seconds) } },
  )
}

/** The seconds until the oldest of the last five requests is an hour old; 0 if there are fewer. */
function waitSeconds(times: readonly Date[], now: Date): number {
  const oldest = times[mailsPerHour - 1]
  if (oldest === undefined) return 0
  // A request with a later `now` may have got the lock first; the wait is still at most an hour.
  const ms = Math.min(hourMs, oldest.getTime() + hourMs - now.getTime())
  return Math.max(1, Math.ceil(ms / 1000))
}

/** The status of a verification at this time. (additions: Users) */
export function statusOf(verification: Verification, now: Date): VerificationStatus {
  const { usedAt, voidedAt, refusedAt, expiresAt } = verification
  if (usedAt !== null) return 'verified'
  if (voidedAt !== null) return 'voided'
  if (refusedAt !== null) return 'undeliverable'
  return expiresAt <= now ? 'expired' : 'pending'
}

/**
 * A link is valid once, for 24 hours, until a newer one replaces it, and only while its user may sign in.
 * (additions: Users; D24, D35)
 */
export function isOpen(verification: VerificationOfUser, now: Date): boolean {
  return statusOf(verification, now) === 'pending' && !verification.isBarred
}

/** The error for every invalid link; it does not say why the link is invalid. (additions: Users) */
export function linkInvalid(): Problem {
  return invalid(
    'email_verification.invalid',
    'This link does not count: it was used, is older than 24 hours, or a newer one has taken its place. If your address is not verified yet, ask for another mail.',
  )
}

/** Shortens an address so that only its owner recognises it. */
export function shortened(email: string): string {
  return `${email.slice(0, 1)}…${email.slice(email.lastIndexOf('@'))}`
}
