import { Problem } from '../../../core/problem.ts'
import type { DueWork } from '../../../infra/jobs/due.ts'
import { acceptDue } from './commands/due.ts'
import { leaveToOperators } from './commands/proposing.ts'
import { findDueProposals } from './store/proposals.ts'

/** (AS20) */
const accepting: DueWork = {
  name: 'proposals.accept',
  async run({ database, log }) {
    const { guids, nextMs } = await findDueProposals(database.db)
    for (const guid of guids) {
      try {
        await database.transaction((tx) => acceptDue(tx, guid))
      } catch (err) {
        // One that fails must not hold up the others.
        if (err instanceof Problem) await database.transaction((tx) => leaveToOperators(tx, guid))
        else log.error({ err, proposal: guid }, 'accepting a proposal')
      }
    }
    return nextMs
  },
}

export const proposalsDue: readonly DueWork[] = [accepting]
