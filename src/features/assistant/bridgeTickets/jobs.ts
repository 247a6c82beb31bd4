import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import type { Job } from '../../../infra/jobs/jobs.ts'
import { deleteExpired } from './store.ts'

/** Deletes expired tickets. */
const sweep: Job = {
  name: 'bridgeTickets.sweep',
  cron: '47 * * * *',
  run: async (_payload, { database, now }) => {
    const until = now()
    await deleteInBatches(database, (tx, limit) => deleteExpired(tx, until, limit))
  },
}

export const bridgeTicketsJobs: readonly Job[] = [sweep]
