import { deleteInBatches } from '../jobs/batches.ts'
import type { Job } from '../jobs/jobs.ts'
import { deleteOld, deleteResultsOf } from './store.ts'

const sweep: Job = {
  name: 'idempotency.sweep',
  cron: '13 * * * *',
  run: (_payload, { database }) => deleteInBatches(database, deleteOld),
}

/** The saved results of commands with a key, as the composition root sees them. */
export const idempotency = {
  name: 'idempotency',
  jobs: [sweep],
  personalData: { sections: {}, forget: deleteResultsOf },
}
