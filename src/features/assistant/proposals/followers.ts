import { followerOf } from '../../../infra/events/follow.ts'
import { supersedeReported } from './commands/superseding.ts'
import { listMatchesOfSessions } from './store/proposals.ts'

/** Kinds of flow rows that can give a map its result. */
const decisiveKinds: ReadonlySet<string> = new Set([
  'scores',
  'map_told',
  'result_told',
  'override',
  'penalty',
  'lapse',
  'technical',
])

/**
 * Supersedes proposals of songs that got a result by hand. It follows the event log instead of running in the
 * transaction of the result. That is safe: an acceptance checks match and session under their locks, and is refused as
 * soon as a result exists. (AS21)
 */
export const proposalSuperseder = followerOf({
  name: 'game_proposals',
  from: 'now',
  types: ['flow.row', 'match.game_reported', 'match.completed', 'match.corrected'],
  // During the picks of a session rows come in quick succession, and few of them give a result.
  gatherMs: 250,
  async handle(tx, events) {
    const matches = new Set<string>()
    const sessions = new Set<string>()
    for (const event of events) {
      if (event.type !== 'flow.row') matches.add(event.subject)
      // The kind of a withheld row is unknown, so it may give a result.
      else if (!('kind' in event.after) || decisiveKinds.has(event.after.kind)) sessions.add(event.subject)
    }
    for (const match of await listMatchesOfSessions(tx, [...sessions])) matches.add(match)
    const last = events.at(-1)
    if (last !== undefined && matches.size > 0) await supersedeReported(tx, [...matches], last.at)
  },
})
