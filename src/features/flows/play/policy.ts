import { type Actor, isSignedIn, policy } from '../../../core/actor.ts'
import { mayReferee } from '../../tournaments/access/policy.ts'
import type { SessionRecord } from '../flowSessions/types.ts'

interface Records {
  readonly flowSession: SessionRecord
}

function speaks(actor: Actor, { speakers }: SessionRecord): boolean {
  return actor.guid !== null && speakers.some((users) => users.includes(actor.guid ?? ''))
}

/**
 * Speakers and referees may act; the log decides whose turn it is. All other users get 403. (match-flows: Operations)
 */
export const speakersAndReferees = policy<Records>(
  'those who speak for a seat, referees and coordinators, and the organiser and admins of the tournament,',
  (actor, { flowSession }) => mayReferee(actor) || speaks(actor, flowSession),
  isSignedIn,
)
