import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import type { Job } from '../../../infra/jobs/jobs.ts'
import { placeLifetimeSeconds } from './rules/sessions.ts'
import { deleteExpiredSessions, deleteOldPlaces } from './store/sessions.ts'

/** Forgets tokens that have expired, then sign-ins that have run out and left none behind, and places of long ago. */
const sweep: Job = {
  name: 'sessions.sweep',
  cron: '17 * * * *',
  run: async (_payload, { database, services, now }) => {
    const at = now()
    const longAgo = new Date(at.getTime() - placeLifetimeSeconds * 1000)
    await deleteInBatches(database, (tx, limit) => services.tokens.deleteExpired(tx, at, limit))
    await deleteInBatches(database, (tx, limit) => deleteExpiredSessions(tx, at, limit))
    await deleteInBatches(database, (tx, limit) => deleteOldPlaces(tx, longAgo, limit))
  },
}

export const sessionsJobs: readonly Job[] = [sweep]
