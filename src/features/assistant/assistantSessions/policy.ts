import type { Actor } from '../../../core/actor.ts'
import { playersAudience, publicAudience } from '../../../core/actor.ts'
import { isAnyStaff } from '../../tournaments/access/policy.ts'
import type { AssistantSession } from './types.ts'

export type Viewer = 'staff' | 'player' | 'public'

/** Staff see everything of a session, a player their own part of it, everybody else that a song is played. (assistant: Records) */
export function viewerOf(actor: Actor, session: AssistantSession | undefined): Viewer {
  if (isAnyStaff(actor)) return 'staff'
  return session?.state.players.some(({ userGuid }) => userGuid === actor.guid) ? 'player' : 'public'
}

export function sessionAudience(actor: Actor, records: Readonly<Record<string, unknown>>): string {
  const viewer = viewerOf(actor, records.assistantSession as AssistantSession | undefined)
  if (viewer === 'player') return `${playersAudience}${actor.guid}`
  return viewer === 'staff' ? viewer : publicAudience
}
