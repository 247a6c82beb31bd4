import { listDueHorizons } from '../../../infra/held/store.ts'
import type { DueWork } from '../../../infra/jobs/due.ts'
import { showDue } from './commands.ts'

/** The one follower that shows what is due; a tournament whose horizon cannot be moved does not stop the others. */
export const spoilersDue: readonly DueWork[] = [
  {
    name: 'spoilers.show',
    inRehearsals: true,
    run: async ({ database, log }) => {
      const { guids, nextMs } = await listDueHorizons(database.db)
      for (const tournament of guids) {
        await database
          .transaction((tx) => showDue(tx, tournament))
          .catch((err: unknown) => log.error({ err, tournament, due: 'spoilers.show' }, 'due work'))
      }
      return nextMs
    },
  },
]
