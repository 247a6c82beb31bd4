import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import type { Job } from '../../../infra/jobs/jobs.ts'
import { placeLifetimeSeconds } from './rules.ts'
import { deleteExpiredSessions, deleteOldPlaces } from './store.ts'

/** Deletes expired tokens, then expired sign-ins without tokens, and places that have not been used for a long time. */
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
