import { followerOf } from '../../../infra/events/follow.ts'
import { endSessions } from './commands/cancelling.ts'

/**
 * A tournament that was cancelled by a block, of which sessions know nothing, takes its sessions along too; whoever cancels
 * it otherwise has ended them in the same transaction. (match-flows: Who wins a map, and the match, rule 5)
 */
export const sessionEnder = followerOf({
  name: 'flow_sessions',
  from: 'now',
  types: ['tournament.status_changed'],
  gatherMs: 0,
  async handle(tx, events) {
    for (const { subject, after } of events) {
      if (after.status === 'cancelled') await endSessions(tx, subject, null)
    }
  },
})
