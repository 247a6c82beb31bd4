import type { SignedIn } from '../../../core/actor.ts'
import { invalid, missing } from '../../../core/problem.ts'
import type { Db, Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { enqueue } from '../../../infra/jobs/jobs.ts'
import type { Resealed, SealChange } from '../../../infra/sealed-text.ts'
import { digestOf } from '../../../infra/secrets.ts'
import type { Services } from '../../../services.ts'
import { changeAccount } from '../users/commands/users.ts'
import { checkAddress } from '../users/rules/email.ts'
import { lockUser } from '../users/store/users.ts'
import { sendJob } from './jobs.ts'
import { checkNotTooOften, countedSince, expiryOf, hashOf, isOpen, keptPerUser, linkInvalid, tokenOf } from './rules.ts'
import * as store from './store.ts'
import type { VerificationOfUser } from './types.ts'

/**
 * Enqueues a verification mail. The user's address does not change until the link is used, and earlier links become
 * invalid. Returns when the new link expires; null if the address is the user's own and verified already, so that
 * nothing is sent.
 *
 * @throws Problem `email.invalid`, `email.not_configured`, `email.too_often`
 */
export async function requestVerification(
  tx: Tx,
  services: Services,
  actor: SignedIn,
  email: string,
  now: Date,
): Promise<Date | null> {
  checkAddress(email)
  checkConfigured(services)
  const user = await lockUser(tx, actor.guid)
  if (user === undefined) throw missing('user.unknown', 'There is no such user.')
  const isVerified = user.email === email && user.emailVerifiedAt !== null
  if (!isVerified && services.config.rateLimits) await checkFrequency(tx, actor.guid, email, now)
  const hasVoided = await store.voidOpenVerifications(tx, actor.guid, now)
  if (isVerified) {
    if (hasVoided) emit(tx, { type: 'email.verification_voided', subject: actor.guid, actor: actor.guid })
    return null
  }
  const guid = await store.newGuid(tx)
  const expiresAt = expiryOf(now)
  const tokenHash = digestOf(tokenOf(services, guid))
  await store.insertVerification(tx, { guid, userGuid: actor.guid, email, tokenHash, requestedAt: now, expiresAt })
  await store.deleteOldVerifications(tx, actor.guid, keptPerUser)
  await enqueue(tx, sendJob, { payload: { guid } })
  emit(tx, { type: 'email.verification_requested', subject: guid, actor: actor.guid })
  return expiresAt
}

/** Without a mail server the link is only logged, which is useful only in the local environment. (D37) */
function checkConfigured({ config }: Services): void {
  if (config.mail !== null || config.environment === 'local') return
  throw invalid('email.not_configured', 'This installation sends no e-mail, so addresses cannot be verified here.')
}

async function checkFrequency(tx: Tx, userGuid: string, email: string, now: Date): Promise<void> {
  await store.lockAddress(tx, email)
  const { ofUser, toAddress } = await store.listRequestTimes(tx, userGuid, email, countedSince(now))
  checkNotTooOften(ofUser, toAddress, now)
}

/** @throws Problem `email_verification.invalid` */
export async function loadOpenVerification(db: Db, token: string, now: Date): Promise<VerificationOfUser> {
  const hash = hashOf(token)
  const verification = hash === null ? undefined : await store.findVerificationByToken(db, hash)
  if (verification === undefined || !isOpen(verification, now)) throw linkInvalid()
  return verification
}

/**
 * Uses a link, which is invalid afterwards. The address to which it was sent becomes the user's own and is verified:
 * the holder of the token can read mail there, and nothing else has to be proven.
 *
 * @throws Problem `email_verification.invalid`
 */
export async function verifyAddress(tx: Tx, token: string, now: Date): Promise<VerificationOfUser> {
  const { userGuid } = await loadOpenVerification(tx, token, now)
  const user = await lockUser(tx, userGuid)
  // Read again under the lock: in the meantime the link may have been used or replaced, or the user banned.
  const verification = await loadOpenVerification(tx, token, now)
  if (user === undefined) throw linkInvalid()
  await store.markVerification(tx, verification.guid, { usedAt: now })
  const changes = { email: verification.email, emailVerifiedAt: now }
  await changeAccount(tx, user, { changes, links: [] }, userGuid, now)
  return verification
}

/**
 * Gives all open verifications the tokens of the new secret of the installation: links that were mailed before are
 * invalid, and mails that still wait to be sent have a link that is valid.
 */
export async function remakeTokens(tx: Tx, { next: seal }: SealChange, now: Date): Promise<Resealed> {
  const open = await store.listOpen(tx, now)
  for (const guid of open) await store.setTokenHash(tx, guid, digestOf(tokenOf({ seal }, guid)))
  return { resealed: open.length, lost: 0 }
}
