import { deleteInBatches } from '../jobs/batches.ts'
import type { Job } from '../jobs/jobs.ts'
import { deleteOld } from './store.ts'

const sweep: Job = {
  name: 'delay.sweep',
  cron: '*/10 * * * *',
  run: (_payload, { database }) => deleteInBatches(database, deleteOld),
}

/** The delay of streams, as the composition root sees it. */
export const delay = { name: 'delay', jobs: [sweep] }
