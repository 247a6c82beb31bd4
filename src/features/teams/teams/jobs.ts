import { readClock } from '../../../infra/db/clock.ts'
import type { DueWork } from '../../../infra/jobs/due.ts'
import { publishDue } from './commands/publishing.ts'
import { findDuePublications } from './store/publishing.ts'

export const teamsDue: readonly DueWork[] = [
  {
    name: 'teams.publishAnswers',
    inRehearsals: true,
    run: async ({ database, log }) => {
      const due = await findDuePublications(database.db)
      for (const guid of due.tournaments) {
        // A failure in one tournament must not stop the others.
        await database
          .transaction(async (tx) => publishDue(tx, guid, await readClock(tx)))
          .catch((err: unknown) => log.error({ err, tournament: guid, due: 'teams.publishAnswers' }, 'due work'))
      }
      return due.nextMs
    },
  },
]
