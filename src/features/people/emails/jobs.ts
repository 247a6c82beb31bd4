import { MailRefused } from '../../../infra/clients/mail.ts'
import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import type { Job, JobContext } from '../../../infra/jobs/jobs.ts'
import { isOpen, linkOf, sweptBefore } from './rules.ts'
import { deleteExpiredVerifications, findVerification, markVerification } from './store.ts'
import type { VerificationOfUser } from './types.ts'
import { verificationMail } from './views.ts'

export const sendJob = 'emails.sendVerification'

/**
 * Sends a verification mail. It is retried with growing delays until the mail server accepts it or its link has
 * expired.
 */
const sendVerification: Job = {
  name: sendJob,
  run: async (payload, context) => {
    const { guid } = payload as { readonly guid: string }
    const verification = await findVerification(context.database.db, guid)
    if (verification === undefined || verification.sentAt !== null || !isOpen(verification, context.now())) return
    await deliver(verification, context)
  },
}

async function deliver(verification: VerificationOfUser, context: JobContext): Promise<void> {
  const { clients, services, database, log, now } = context
  const { guid, email } = verification
  const link = linkOf(services, guid)
  if (clients.mail === null) {
    if (services.config.environment !== 'local') throw new Error('no mail server is configured')
    log.info({ user: verification.userGuid, link }, 'open this link to verify the address; SMTP_URL is not set')
    return
  }
  try {
    await clients.mail.send(verificationMail(email, link))
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error
    log.warn({ err: error, verification: guid }, 'verification mail refused')
    return database.transaction((tx) => markVerification(tx, guid, { refusedAt: now() }))
  }
  await database.transaction((tx) => markVerification(tx, guid, { sentAt: now() }))
}

/** Deletes requests whose links expired long ago. */
const sweep: Job = {
  name: 'emails.sweep',
  cron: '37 * * * *',
  run: async (_payload, { database, now }) => {
    const before = sweptBefore(now())
    await deleteInBatches(database, (tx, limit) => deleteExpiredVerifications(tx, before, limit))
  },
}

export const emailsJobs: readonly Job[] = [sendVerification, sweep]
