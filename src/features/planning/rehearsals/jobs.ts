import { Problem } from '../../../core/problem.ts'
import type { DueWork } from '../../../infra/jobs/due.ts'
import type { Job } from '../../../infra/jobs/jobs.ts'
import { deleteRehearsal } from './commands.ts'
import { lastUseOfExpired } from './rules.ts'
import { listRunning, listUnused } from './store.ts'

/** Making a package takes minutes at most. A file that is older was left behind by a crash. */
const abandonedMs = 86_400_000

/** A rehearsal is deleted 14 days after its last use. (R1) */
const expire: Job = {
  name: 'rehearsals.expire',
  cron: '53 * * * *',
  run: async (_payload, { database, services, now }) => {
    for (const rehearsal of await listUnused(database.db, lastUseOfExpired(now()))) {
      await database
        .transaction((tx) => deleteRehearsal(tx, null, rehearsal, now()))
        .catch((error: unknown) => {
          // Somebody deleted it meanwhile.
          if (!(error instanceof Problem)) throw error
        })
    }
    await services.packages.workshop.sweep(new Date(now().getTime() - abandonedMs))
  },
}

export const rehearsalsJobs: readonly Job[] = [expire]

const look: DueWork = {
  name: 'rehearsals.runClocks',
  inRehearsals: false,
  run: async ({ database, clients }) => {
    for (const { guid } of await listRunning(database.db)) await clients.rehearsalClocks.runDue(guid)
    return null
  },
}

export const rehearsalsDue: readonly DueWork[] = [look]
