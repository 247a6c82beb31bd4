import type { Job } from '../../../../infra/jobs/jobs.ts'
import { deleteSealedVotes } from '../commands/sealing.ts'
import { listToUnseal } from '../store/votes.ts'

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
