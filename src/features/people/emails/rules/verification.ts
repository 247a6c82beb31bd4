import { invalid, Problem } from '../../../../core/problem.ts'
import type { Verification, VerificationOfUser, VerificationStatus } from '../types.ts'

const hourMs = 3_600_000

/** A link can be used for 24 hours. (additions: Users) */
export function expiryOf(requestedAt: Date): Date {
  return new Date(requestedAt.getTime() + 24 * hourMs)
}

/** What became of a request is kept for a week after its link has expired, for administrators who are asked about it. */
export function sweptBefore(now: Date): Date {
  return new Date(now.getTime() - 7 * 24 * hourMs)
}

/** Requests of one user that are kept: far more than anybody makes in the hour that counts against them. */
export const keptPerUser = 20

/** Mails in an hour, to one address and at the wish of one user. */
export const mailsPerHour = 5

export function countedSince(now: Date): Date {
  return new Date(now.getTime() - hourMs)
}

/**
 * Nobody is flooded: no user asks for more than five mails in an hour, and no address gets more, whoever asks. The answer
 * is the same for both, so that it does not tell whether others named the address. (D13)
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

/** Until the oldest of as many as are allowed is an hour old. */
function waitSeconds(times: readonly Date[], now: Date): number {
  const oldest = times[mailsPerHour - 1]
  if (oldest === undefined) return 0
  // One that came later may have been counted first: nobody waits for longer than the hour because of that.
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
 * A link counts once, for 24 hours, until a newer one takes its place, and while its user may sign in. (additions: Users;
 * D24, D35)
 */
export function isOpen(verification: VerificationOfUser, now: Date): boolean {
  return statusOf(verification, now) === 'pending' && !verification.isBarred
}

/** What is told of every link that does not count, and of every text that is none: nothing of why. (additions: Users) */
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
