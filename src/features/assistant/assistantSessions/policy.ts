import { type Actor, type Audience, anonymous, playersAudience, publicAudience } from '../../../core/actor.ts'
import { isCaster, seesMatchNow } from '../../flows/flowSessions/policy.ts'
import type { SessionRecord } from '../../flows/flowSessions/types.ts'
import { isAnyStaff, mayReferee, staffAudience } from '../../tournaments/access/policy.ts'
import type { AssistantSession } from './types.ts'

/** `late`: those who see the match with a delay, staff among them. */
export type Viewer = 'staff' | 'player' | 'public' | 'late'

/**
 * Staff see everything of a session, a player their own part of it, everybody else that a song is played; but while the flow of the match
 * is shown late, whoever sees that late is told of no song, neither by this. (assistant: Records; match-flows: Spectators; D55)
 * @param flowSession the current one of the match
 */
export function viewerOf(
  actor: Actor,
  session: AssistantSession | undefined,
  flowSession: SessionRecord | undefined,
): Viewer {
  const isNow = seesMatchNow(actor, flowSession)
  if (isNow && isAnyStaff(actor)) return 'staff'
  // They play it themselves.
  if (session?.state.players.some(({ userGuid }) => userGuid === actor.guid)) return 'player'
  return isNow ? 'public' : 'late'
}

/** Without the delay, that of those who may see now is everybody's. They are told the facts that everybody is, as players are. */
const speakersAudience = `${playersAudience}speakers`

export function sessionAudience(actor: Actor, records: Readonly<Record<string, unknown>>): string {
  const flowSession = records.flowSession as SessionRecord | undefined
  const viewer = viewerOf(actor, records.assistantSession as AssistantSession | undefined, flowSession)
  if (viewer === 'player') return `${playersAudience}${actor.guid}`
  if (viewer === 'staff') return viewer
  return viewer === 'public' && !seesMatchNow(anonymous, flowSession) ? speakersAudience : publicAudience
}

/** Of a list of sessions: staff who see matches late are told apart, as those who speak in some of them are not. */
export const listAudience: Audience = (actor, records) => {
  return mayReferee(actor) || isCaster(actor) ? 'staff-now' : staffAudience(actor, records)
}
