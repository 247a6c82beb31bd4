import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import { enqueue, type Job } from '../../../infra/jobs/jobs.ts'
import { failImport, importJob, importNext } from './commands/importing.ts'
import { gather } from './prepare.ts'
import { deleteImportsBefore, findImport, findRunning, listNextRanked } from './store/imports.ts'

interface Payload {
  readonly guid: string
  readonly after: string | null
  /** How often the platform has asked to wait since the last user that succeeded. */
  readonly tries?: number
}

/** The limits of one step. A service that shuts down waits for its jobs, so longer imports continue in another step. */
const usersAtOnce = 20
const patienceMs = 8_000
/** After this many tries the users are named as failed, and the import continues after them. */
const maxTries = 5

/**
 * Imports the badges of the next users, and queues the next step. The data and the progress of a step are saved in one
 * transaction: if the process dies before that, another process repeats the step. (B7)
 */
const importRanked: Job = {
  name: importJob,
  slots: 1,
  run: async (payload, { database, services, clients, now }) => {
    const { guid, after, tries = 0 } = payload as Payload
    const job = await findImport(database.db, guid)
    if (job?.status !== 'running' || job.report.after !== after) return
    const users = await listNextRanked(database.db, after, usersAtOnce)
    const gathered = await gather(users, {
      db: database.db,
      clients,
      services,
      isKept: !job.dryRun,
      by: null,
      patienceMs,
    })
    if (gathered.pauseMs !== null && tries < maxTries) {
      const runAt = new Date(now().getTime() + gathered.pauseMs)
      const again: Payload = { guid, after, tries: tries + 1 }
      await database.transaction((tx) => enqueue(tx, importJob, { payload: { ...again }, runAt }))
      return
    }
    await database.transaction((tx) => importNext(tx, { guid, after }, gathered, { services, now: now() }))
  },
}

const dayMs = 86_400_000
const keptMs = 90 * dayMs

/** Deletes imports after 90 days. An import that runs for more than a day counts as failed. */
const cleanUp: Job = {
  name: 'badges.cleanUpImports',
  cron: '41 4 * * *',
  run: async (_payload, { database, now }) => {
    const running = await findRunning(database.db)
    if (running !== undefined && now().getTime() - running.createdAt.getTime() > dayMs) {
      await database.transaction((tx) => failImport(tx, running.guid, now()))
    }
    const before = new Date(now().getTime() - keptMs)
    await deleteInBatches(database, (tx, limit) => deleteImportsBefore(tx, before, limit))
  },
}

export const badgeImportJobs: readonly Job[] = [importRanked, cleanUp]
