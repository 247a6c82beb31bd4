import type { DueWork } from '../../../infra/jobs/due.ts'
import { expireKey } from './commands.ts'
import { listOverdueKeys } from './store.ts'

/** Deletes keys whose grace period is over. They are refused from that instant on and deleted within a second. (S3) */
const expire: DueWork = {
  // Keys belong to accounts.
  inRehearsals: false,
  name: 'streamKeys.expire',
  run: async ({ database, log }) => {
    for (const guid of await listOverdueKeys(database.db)) {
      // A failure for one key must not stop the others.
      await database
        .transaction((tx) => expireKey(tx, guid))
        .catch((err: unknown) => log.error({ err, streamKey: guid, due: expire.name }, 'due work'))
    }
    return null
  },
}

export const streamKeysDue: readonly DueWork[] = [expire]
