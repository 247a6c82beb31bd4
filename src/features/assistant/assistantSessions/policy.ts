import { type Actor, type Audience, anonymous, playersAudience, publicAudience } from '../../../core/actor.ts'
import { isCaster, seesMatchNow } from '../../flows/flowSessions/policy.ts'
import type { SessionRecord } from '../../flows/flowSessions/types.ts'
import { isAnyStaff, mayReferee, staffAudience } from '../../tournaments/access/policy.ts'
import type { AssistantSession } from './types.ts'

/** `late`: viewers who see the match with a delay, some staff included. */
export type Viewer = 'staff' | 'player' | 'public' | 'late'

/**
 * The view of a session that a caller gets. Staff see all of it, players their own part, and everybody else that a song
 * is played. While the flow of the match is shown with a delay, viewers who see it late are shown no song here either.
 * (assistant: Records; match-flows: Spectators; D55)
 * @param flowSession the match's current flow session
 */
export function viewerOf(
  actor: Actor,
  session: AssistantSession | undefined,
  flowSession: SessionRecord | undefined,
): Viewer {
  const isNow = seesMatchNow(actor, flowSession)
  if (isNow && isAnyStaff(actor)) return 'staff'
  // Players see their own match without a delay.
  if (session?.state.players.some(({ userGuid }) => userGuid === actor.guid)) return 'player'
  return isNow ? 'public' : 'late'
}

/**
 * The audience of viewers who are not staff but see a delayed match now. Without a delay they belong to the public
 * audience. They get the same facts as the public, as players do.
 */
const speakersAudience = `${playersAudience}speakers`

export function sessionAudience(actor: Actor, records: Readonly<Record<string, unknown>>): string {
  const flowSession = records.flowSession as SessionRecord | undefined
  const viewer = viewerOf(actor, records.assistantSession as AssistantSession | undefined, flowSession)
  if (viewer === 'player') return `${playersAudience}${actor.guid}`
  if (viewer === 'staff') return viewer
  return viewer === 'public' && !seesMatchNow(anonymous, flowSession) ? speakersAudience : publicAudience
}

/**
 * The audience of a list of sessions. Staff who see every match now are separate from staff who see matches late. A
 * caller who speaks in single matches is not separate.
 */
export const listAudience: Audience = (actor, records) => {
  return mayReferee(actor) || isCaster(actor) ? 'staff-now' : staffAudience(actor, records)
}
