import type { Tx } from '../../../infra/db/database.ts'
import type { Job } from '../../../infra/jobs/jobs.ts'
import { placeLifetimeSeconds } from './rules/sessions.ts'
import { deleteExpiredSessions, deleteOldPlaces } from './store/sessions.ts'

const batch = 1_000

/** Forgets tokens that have expired, then sign-ins that have run out and left none behind, and places of long ago. */
const sweep: Job = {
  name: 'sessions.sweep',
  cron: '17 * * * *',
  run: async (_payload, { database, services, now }) => {
    const at = now()
    const longAgo = new Date(at.getTime() - placeLifetimeSeconds * 1000)
    const deletions = [
      (tx: Tx) => services.tokens.deleteExpired(tx, at, batch),
      (tx: Tx) => deleteExpiredSessions(tx, at, batch),
      (tx: Tx) => deleteOldPlaces(tx, longAgo, batch),
    ]
    for (const remove of deletions) {
      for (let removed = batch; removed === batch; ) removed = await database.transaction(remove)
    }
  },
}

export const sessionsJobs: readonly Job[] = [sweep]
