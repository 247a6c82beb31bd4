import { invalid, Problem } from '../../../../core/problem.ts'
import type { Verification, VerificationOfUser, VerificationStatus } from '../types.ts'

const hourMs = 3_600_000

/** A link can be used for 24 hours. (additions: Users) */
export function expiryOf(requestedAt: Date): Date {
  return new Date(requestedAt.getTime() + 24 * hourMs)
}

/** Requests are kept for a week after their link has expired, for administrators who are asked about them. */
export function sweptBefore(now: Date): Date {
  return new Date(now.getTime() - 7 * 24 * hourMs)
}

/** The newest requests of a user that are kept: more than the limit on an hour's requests has to count. */
export const keptPerUser = 20

/** Mails in an hour, to one address and for one user. */
export const mailsPerHour = 5

export function countedSince(now: Date): Date {
  return new Date(now.getTime() - hourMs)
}

/**
 * In an hour a user can ask for at most five mails, and an address gets at most five, whoever asks. The answer is the same
 * for both, so that it does not tell whether others named the address. (D13)
 *
 * @param ofUser when the newest were asked for since `countedSince`, newest first; `toAddress` likewise
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

/** Until the oldest of the last five is an hour old; 0 if there are fewer. */
function waitSeconds(times: readonly Date[], now: Date): number {
  const oldest = times[mailsPerHour - 1]
  if (oldest === undefined) return 0
  // A request with a later `now` may have got the lock first; nobody waits for more than an hour because of that.
  const ms = Math.min(hourMs, oldest.getTime() + hourMs - now.getTime())
  return Math.max(1, Math.ceil(ms / 1000))
}

/** (additions: Users) */
export function statusOf(verification: Verification, now: Date): VerificationStatus {
  const { usedAt, voidedAt, refusedAt, expiresAt } = verification
  if (usedAt !== null) return 'verified'
  if (voidedAt !== null) return 'voided'
  if (refusedAt !== null) return 'undeliverable'
  return expiresAt <= now ? 'expired' : 'pending'
}

/**
 * A link is valid once, for 24 hours, until a newer one replaces it, and while its user may sign in. (additions: Users;
 * D24, D35)
 */
export function isOpen(verification: VerificationOfUser, now: Date): boolean {
  return statusOf(verification, now) === 'pending' && !verification.isBarred
}

/** One answer for every invalid link, which does not tell why it is invalid. (additions: Users) */
export function linkInvalid(): Problem {
  return invalid(
    'email_verification.invalid',
    'This link does not count: it was used, is older than 24 hours, or a newer one has taken its place. If your address is not verified yet, ask for another mail.',
  )
}

/** Enough of an address for its owner to recognise it, and for nobody else to learn it. */
export function shortened(email: string): string {
  return `${email.slice(0, 1)}…${email.slice(email.lastIndexOf('@'))}`
}
