import { deleteInBatches } from '../jobs/batches.ts'
import type { Job } from '../jobs/jobs.ts'
import { deleteOld, deleteResultsOf } from './store.ts'

const sweep: Job = {
  name: 'idempotency.sweep',
  cron: '13 * * * *',
  run: (_payload, { database }) => deleteInBatches(database, deleteOld),
}

/** What the kernel keeps of commands that were sent with a key, as the composition root sees it. */
export const idempotency = {
  name: 'idempotency',
  jobs: [sweep],
  personalData: { sections: {}, forget: deleteResultsOf },
}
