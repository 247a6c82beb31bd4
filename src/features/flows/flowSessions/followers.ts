import { followerOf } from '../../../infra/events/follow.ts'
import { endSessions } from './commands/cancelling.ts'

/**
 * Ends the sessions of a cancelled or blocked tournament. The cancelling transaction ends the sessions that it sees;
 * this follower ends a session that began meanwhile and was not visible to that transaction. (match-flows: Who wins a
 * map, and the match, rule 5)
 */
export const sessionEnder = followerOf({
  name: 'flow_sessions',
  from: 'now',
  makesDue: true,
  types: ['tournament.status_changed'],
  gatherMs: 0,
  async handle(tx, events) {
    for (const { subject, after } of events) {
      if (after.status === 'cancelled') await endSessions(tx, subject, null)
    }
  },
})
