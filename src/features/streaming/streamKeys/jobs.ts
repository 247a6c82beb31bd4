import type { DueWork } from '../../../infra/jobs/due.ts'
import { expireKey } from './commands.ts'
import { listOverdueKeys } from './store/keys.ts'

/** Keys whose grace is over end by themselves: they are refused at that instant, and are gone within a second. (S3) */
const expire: DueWork = {
  name: 'streamKeys.expire',
  run: async ({ database, log }) => {
    for (const guid of await listOverdueKeys(database.db)) {
      // One that fails must not hold up the others.
      await database
        .transaction((tx) => expireKey(tx, guid))
        .catch((err: unknown) => log.error({ err, streamKey: guid, due: expire.name }, 'due work'))
    }
    return null
  },
}

export const streamKeysDue: readonly DueWork[] = [expire]
