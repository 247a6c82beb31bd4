import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import { enqueue, type Job } from '../../../infra/jobs/jobs.ts'
import { failImport, importJob, importNext } from './commands/importing.ts'
import { gather } from './prepare.ts'
import { deleteImportsBefore, findImport, findRunning, listNextRanked } from './store/imports.ts'

interface Payload {
  readonly guid: string
  readonly after: string | null
  /** How often the platform asked to be left alone since the last user. */
  readonly tries?: number
}

/** A service that is told to stop waits for its jobs: what takes longer goes on in another one. */
const usersAtOnce = 20
const patienceMs = 8_000
/** Then those users are named as failed, and it goes on behind them. */
const mostTries = 5

/**
 * Brings over the badges of the next users, and has itself go on behind them. What a step writes is written with how far it has come:
 * a process that dies in between leaves the step to another, which does it from the beginning. (B7)
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
    if (gathered.pauseMs !== null && tries < mostTries) {
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

/** Imports are kept for 90 days; one that could not be carried out in a day never will be. */
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
