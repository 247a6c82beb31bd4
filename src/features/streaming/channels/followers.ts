import type { EventOf, EventType } from '../../../core/events.ts'
import { followerOf } from '../../../infra/events/follow.ts'
import type { LoggedEvent } from '../../../infra/events/logged.ts'
import { followTournament } from './commands.ts'
import { listQueueing } from './store.ts'

/** The events that may begin or end a match. */
const types = [
  'match.started',
  'match.game_reported',
  'match.game_removed',
  'match.completed',
  'match.corrected',
  'match.reopened',
  'correction.undone',
  'bracket.entrants_placed',
  'bracket.round_paired',
  'bracket.team_withdrawn',
  'bracket.team_returned',
] as const satisfies readonly EventType[]

type Followed = LoggedEvent<EventOf<(typeof types)[number]>>

/**
 * Updates the queues when their matches change: a match that begins becomes live, a match that is over becomes done.
 * (S13)
 */
export const queueFollower = followerOf({
  name: 'channels',
  from: 'now',
  makesDue: true,
  types,
  gatherMs: 50,
  async handle(tx, events) {
    const began = new Set(events.filter(begins).map(({ subject }) => subject))
    const tournaments = [...new Set(events.map(({ tournament }) => tournament))]
    for (const guid of await listQueueing(tx, tournaments)) await followTournament(tx, guid, began)
  },
})

function begins({ before, after }: Followed): boolean {
  const isRunning = (value: object | null) => value !== null && 'status' in value && value.status === 'running'
  return isRunning(after) && !isRunning(before)
}
