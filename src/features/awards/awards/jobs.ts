import { Problem } from '../../../core/problem.ts'
import { readClock } from '../../../infra/db/clock.ts'
import type { DueWork } from '../../../infra/jobs/due.ts'
import type { Job } from '../../../infra/jobs/jobs.ts'
import { takeDueStep } from './commands/phases.ts'
import { deleteSealedVotes } from './commands/sealing.ts'
import { listDue } from './store/editions.ts'
import { listToUnseal, writeTurnouts } from './store/votes.ts'

const phases: DueWork = {
  // A rehearsal has no awards.
  inRehearsals: false,
  name: 'awards.phases',
  run: async ({ database, log }) => {
    const take = (guid: string, isTied: boolean) =>
      database.transaction(async (tx) => takeDueStep(tx, guid, await readClock(tx), isTied))
    let isAnyTaken = false
    for (const guid of await listDue(database.db)) {
      // A failed edition must not block the others.
      const isTaken = await take(guid, false)
        .catch((error: unknown) => {
          // The publication has saved nothing, so a runoff can be held instead. (A9)
          if (error instanceof Problem && error.code === 'award.runoff_due') return take(guid, true)
          throw error
        })
        .catch((err: unknown) => {
          log.error({ err, edition: guid, due: phases.name }, 'due work')
          return false
        })
      isAnyTaken ||= isTaken
    }
    // The next phase may be due already.
    return isAnyTaken ? 0 : null
  },
}

export const awardsDue: readonly DueWork[] = [phases]

/** Counts the voters once an hour, so that the change does not show when somebody voted. (A4) */
const turnout: Job = {
  name: 'awards.countTurnout',
  cron: '0 * * * *',
  run: async (_payload, { database, now }) => database.transaction((tx) => writeTurnouts(tx, now())),
}

export const phasesJobs: readonly Job[] = [turnout]

/** How long votes are kept sealed after the publication. (A6) */
const sealedMs = 30 * 86_400_000

/** Deletes votes that are too old for a recount. From then on nobody can find out who chose which nominee. (A6) */
const deleteVotes: Job = {
  name: 'awards.deleteVotes',
  cron: '23 * * * *',
  run: async (_payload, { database, now }) => {
    const at = now()
    for (const guid of await listToUnseal(database.db, new Date(at.getTime() - sealedMs))) {
      await database.transaction((tx) => deleteSealedVotes(tx, guid, at))
    }
  },
}

export const votesJobs: readonly Job[] = [deleteVotes]
