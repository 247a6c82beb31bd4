import { readClock } from '../../../infra/db/clock.ts'
import { followerOf } from '../../../infra/events/follow.ts'
import { announceAnswers } from './commands/publishing.ts'

/** Teams are told once a field to which they answered privately is public. (D74) */
export const fieldsFollower = followerOf({
  name: 'teams',
  from: 'now',
  types: ['tournament.updated'],
  gatherMs: 250,
  async handle(tx, events) {
    const changing = events.filter(({ before, after }) => 'additionalFields' in (after ?? before ?? {}))
    // The days of notice count from when the teams are told, however late that is.
    const now = await readClock(tx)
    for (const tournament of new Set(changing.map((event) => event.tournament))) {
      await announceAnswers(tx, tournament, now)
    }
  },
})
