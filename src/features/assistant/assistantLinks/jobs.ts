import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import type { Job } from '../../../infra/jobs/jobs.ts'
import { deleteOldDeliveries } from './store/deliveries.ts'

const sweep: Job = {
  name: 'assistant_deliveries.sweep',
  cron: '*/10 * * * *',
  run: (_payload, { database }) => deleteInBatches(database, deleteOldDeliveries),
}

export const assistantLinksJobs: readonly Job[] = [sweep]
