import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import type { Job } from '../../../infra/jobs/jobs.ts'
import { noteOutcome, tryJob } from './commands.ts'
import { tryLink } from './prepare.ts'
import { deleteOldDeliveries, findLink } from './store.ts'

const sweep: Job = {
  name: 'assistant_deliveries.sweep',
  cron: '*/10 * * * *',
  run: (_payload, { database }) => deleteInBatches(database, deleteOldDeliveries),
}

/** Uses four slots, because it waits for the servers of others. */
const attempt: Job = {
  name: tryJob,
  slots: 4,
  run: async (payload, { database, clients, services, now }) => {
    const { tournament, updatedAt } = payload as { readonly tournament: string; readonly updatedAt: string }
    const link = await findLink(database.db, tournament)
    const isAsSet = link?.updatedAt.toISOString() === updatedAt && link.state === 'untested' && link.enabled
    if (link === undefined || !isAsSet) return
    const { outcome } = await tryLink(database.db, clients, services, link, now())
    await database.transaction((tx) => noteOutcome(tx, null, link, outcome, now()))
  },
}

export const assistantLinksJobs: readonly Job[] = [sweep, attempt]
