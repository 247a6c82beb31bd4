import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import type { Job } from '../../../infra/jobs/jobs.ts'
import { proofLifetimeMs } from './rules.ts'
import { deleteProofs } from './store.ts'

/** Deletes proofs that are no longer remembered. (AS27) */
const sweep: Job = {
  name: 'gameTokens.sweep',
  cron: '43 * * * *',
  run: async (_payload, { database, now }) => {
    const until = new Date(now().getTime() - proofLifetimeMs)
    await deleteInBatches(database, (tx, limit) => deleteProofs(tx, until, limit))
  },
}

export const gameTokensJobs: readonly Job[] = [sweep]
