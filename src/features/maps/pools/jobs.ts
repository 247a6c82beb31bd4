import type { Db, Tx } from '../../../infra/db/database.ts'
import type { DueWork } from '../../../infra/jobs/due.ts'
import { announceDue, publishDue, releaseDue } from './commands/due.ts'
import { listPoolsToRelease } from './store/maps.ts'
import { listPoolsToAnnounce, listPoolsToPublish, readClock } from './store/pools.ts'

function ofPools(
  name: string,
  list: (db: Db) => Promise<readonly string[]>,
  act: (tx: Tx, guid: string, now: Date) => Promise<void>,
): DueWork {
  return {
    name,
    run: async ({ database, log }) => {
      for (const guid of await list(database.db)) {
        // One that fails must not hold up the others.
        await database
          .transaction(async (tx) => act(tx, guid, await readClock(tx)))
          .catch((err: unknown) => log.error({ err, pool: guid, due: name }, 'due work'))
      }
    },
  }
}

export const poolsDue: readonly DueWork[] = [
  ofPools('pools.publish', listPoolsToPublish, publishDue),
  ofPools('pools.release', listPoolsToRelease, releaseDue),
  ofPools('pools.announce', listPoolsToAnnounce, announceDue),
]
