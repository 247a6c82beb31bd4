import { readClock } from '../../../infra/db/clock.ts'
import type { Db, Tx } from '../../../infra/db/database.ts'
import type { DueWork } from '../../../infra/jobs/due.ts'
import type { Job } from '../../../infra/jobs/jobs.ts'
import { enterMaps, questionsAbout } from '../catalogue/commands.ts'
import { answersOf } from './commands/checking.ts'
import { announceDue, publishDue, releaseDue } from './commands/due.ts'
import { findPoolsToRelease } from './store/maps.ts'
import { type DuePools, findPoolsToAnnounce, findPoolsToPublish } from './store/pools.ts'
import { listWatchedMaps } from './store/watched.ts'

function ofPools(
  name: string,
  find: (db: Db) => Promise<DuePools>,
  act: (tx: Tx, guid: string, now: Date) => Promise<void>,
): DueWork {
  return {
    name,
    inRehearsals: true,
    run: async ({ database, log }) => {
      const due = await find(database.db)
      for (const guid of due.guids) {
        // A pool that fails must not stop the others.
        await database
          .transaction(async (tx) => act(tx, guid, await readClock(tx)))
          .catch((err: unknown) => log.error({ err, pool: guid, due: name }, 'due work'))
      }
      return due.nextMs
    },
  }
}

export const poolsDue: readonly DueWork[] = [
  ofPools('pools.publish', findPoolsToPublish, publishDue),
  ofPools('pools.release', findPoolsToRelease, releaseDue),
  ofPools('pools.announce', findPoolsToAnnounce, announceDue),
]

/** Two batches of the catalogue connector. */
const mapsAtOnce = 100
const patienceMs = 60_000

/**
 * Compares maps with the catalogue, and notifies poolers of maps that are no longer published as they are.
 * (pools: Version watch)
 */
const watch: Job = {
  name: 'pools.watchVersions',
  cron: '17 * * * *',
  slots: 1,
  run: async (_payload, { database, clients, now }) => {
    let after: string | undefined
    for (let isLast = false; !isLast; ) {
      const maps = await listWatchedMaps(database.db, after, mapsAtOnce)
      const questions = await questionsAbout(database.db, maps)
      const references = questions.map(({ reference }) => reference)
      const findings = await clients.catalogue.lookUp(references, { fresh: true, patienceMs })
      const answered = answersOf({ maps: questions.map(({ identity }) => identity), findings })
      await database.transaction((tx) => enterMaps(tx, answered, now()))
      // While the catalogue does not answer, the job stops and tries again in an hour.
      isLast = maps.length < mapsAtOnce || answered.length === 0
      after = maps.at(-1)?.guid
    }
  },
}

export const poolsJobs: readonly Job[] = [watch]
