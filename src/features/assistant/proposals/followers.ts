import { followerOf } from '../../../infra/events/follow.ts'
import { supersedeTold } from './commands/superseding.ts'
import { listMatchesOfSessions } from './store/proposals.ts'

/** Rows of sessions by which a map may have got a result. */
const telling: ReadonlySet<string> = new Set([
  'scores',
  'map_told',
  'result_told',
  'override',
  'penalty',
  'lapse',
  'technical',
])

/**
 * Results that were told by hand take the place of what is proposed of the same song. The log is followed, rather than the match
 * changed with it: nothing rests on it, since whoever accepts is judged by match and session under their locks, and is refused
 * from the moment on at which the result stands. (AS21)
 */
export const proposalSuperseder = followerOf({
  name: 'game_proposals',
  from: 'now',
  types: ['flow.row', 'match.game_reported', 'match.completed', 'match.corrected'],
  gatherMs: 50,
  async handle(tx, events) {
    const matches = new Set<string>()
    const sessions = new Set<string>()
    for (const event of events) {
      if (event.type !== 'flow.row') matches.add(event.subject)
      // Of rows that are withheld it is not said what they are.
      else if (!('kind' in event.after) || telling.has(event.after.kind)) sessions.add(event.subject)
    }
    for (const match of await listMatchesOfSessions(tx, [...sessions])) matches.add(match)
    const last = events.at(-1)
    if (last !== undefined && matches.size > 0) await supersedeTold(tx, [...matches], last.at)
  },
})
