import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import type { Job } from '../../../infra/jobs/jobs.ts'
import { deleteExpiredTokens } from './store/tokens.ts'

/** Deletes expired view tokens. */
const sweep: Job = {
  name: 'overlays.sweep',
  cron: '47 * * * *',
  run: async (_payload, { database, now }) => {
    const at = now()
    await deleteInBatches(database, (tx, limit) => deleteExpiredTokens(tx, at, limit))
  },
}

export const overlaysJobs: readonly Job[] = [sweep]
