import { readClock } from '../../../infra/db/clock.ts'
import { followerOf } from '../../../infra/events/follow.ts'
import { announceAnswers } from './commands/publishing.ts'

/** Notifies teams when a field that they answered privately becomes public. (D74) */
export const fieldsFollower = followerOf({
  name: 'teams',
  from: 'now',
  makesDue: true,
  types: ['tournament.updated'],
  gatherMs: 250,
  async handle(tx, events) {
    const changing = events.filter(({ before, after }) => 'additionalFields' in (after ?? before ?? {}))
    // The period of notice starts when the teams are notified, however late that is.
    const now = await readClock(tx)
    for (const tournament of new Set(changing.map((event) => event.tournament))) {
      await announceAnswers(tx, tournament, now)
    }
  },
})
