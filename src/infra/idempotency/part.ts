import { declarePersonalData, deleteRows } from '../db/personal-data.ts'
import { deleteInBatches } from '../jobs/batches.ts'
import type { Job } from '../jobs/jobs.ts'
import { deleteOld } from './store.ts'
import { commandResults as results } from './tables.ts'

const sweep: Job = {
  name: 'idempotency.sweep',
  cron: '13 * * * *',
  run: (_payload, { database }) => deleteInBatches(database, deleteOld),
}

/** The saved results of commands with a key, as the composition root sees them. */
export const idempotency = {
  name: 'idempotency',
  jobs: [sweep],
  personalData: declarePersonalData({ forget: [deleteRows(results, 'userGuid')] }),
}
