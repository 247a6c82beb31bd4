import { followerOf } from '../../../infra/events/follow.ts'
import { endSessions } from './commands/cancelling.ts'

/**
 * Whoever cancels a tournament, or blocks it, ends its sessions in the same transaction. One that was begun meanwhile, and that they
 * could not see yet, is ended behind it. (match-flows: Who wins a map, and the match, rule 5)
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
