import { followerOf } from '../../../infra/events/follow.ts'
import { tellArrived } from './commands/awaited.ts'

/**
 * Tells people who sign in for the first time of places that wait for them: of two imports that name the same person, only
 * one can become the account by itself. (P6)
 */
export const arrivals = followerOf({
  name: 'claims',
  from: 'now',
  types: ['user.created'],
  gatherMs: 250,
  async handle(tx, events) {
    const latest = events.at(-1)
    if (latest !== undefined)
      await tellArrived(
        tx,
        events.map(({ subject }) => subject),
        latest.at,
      )
  },
})
