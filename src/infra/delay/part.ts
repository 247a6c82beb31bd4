import { deleteInBatches } from '../jobs/batches.ts'
import type { Job } from '../jobs/jobs.ts'
import { deleteOld } from './store.ts'

const sweep: Job = {
  name: 'delay.sweep',
  cron: '*/10 * * * *',
  run: (_payload, { database }) => deleteInBatches(database, deleteOld),
}

/** What is kept for viewers of streams that are behind, as the composition root sees it. */
export const delay = { name: 'delay', jobs: [sweep] }
