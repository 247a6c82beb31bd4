import type { Job } from '../../../../infra/jobs/jobs.ts'
import { deleteSealedVotes } from '../commands/sealing.ts'
import { listToUnseal } from '../store/votes.ts'

/** (A6) */
const sealedMs = 30 * 86_400_000

/** Deletes the votes of which nobody can ask for a recount any more: from then on, nobody can tell who chose what. (A6) */
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
