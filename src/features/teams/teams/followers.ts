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
    const latest = new Map(changing.map(({ tournament, at }) => [tournament, at]))
    for (const [tournament, at] of latest) await announceAnswers(tx, tournament, at)
  },
})
