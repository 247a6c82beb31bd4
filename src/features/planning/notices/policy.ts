import { type Policy, policy } from '../../../core/actor.ts'
import type { AnyEvent } from '../../../core/events.ts'
import type { NoticeAudience } from './types.ts'

/** Whoever holds `global:notices:manage`, owners and developers among them. (D24) */
export const noticeManagers: Policy = policy('owners, developers and managers of notices', (actor) =>
  actor.globalRoles.has('global:notices:manage'),
)

export interface Viewer {
  readonly isSignedIn: boolean
  readonly isStaff: boolean
}

/**
 * `everyone` is everybody, `signed-in` whoever has an account, and `staff` whoever holds a global role, is a member of a
 * platform, organises a tournament or holds a role in one, whatever its status. This says whom a notice concerns and
 * keeps no secret: anybody may make a tournament. (domain: Notice)
 */
export function seesAudience(audience: NoticeAudience, { isSignedIn, isStaff }: Viewer): boolean {
  if (audience === 'everyone') return true
  return audience === 'staff' ? isStaff : isSignedIn
}

/** By so much the clock that starts a notice may differ from the one that the log is written by. */
const skewMs = 5_000

/**
 * Of the making and the deletion of a notice those are told who were shown it then. (RT10)
 */
export function wasShown(event: AnyEvent & { readonly at: Date }, viewer: Viewer): boolean {
  if (event.type !== 'notice.created' && event.type !== 'notice.deleted') return false
  const { audience, startsAt, endsAt } = event.type === 'notice.created' ? event.after : event.before
  const at = event.at.getTime()
  const isActive = Date.parse(startsAt ?? '') <= at + skewMs && (endsAt == null || Date.parse(endsAt) > at)
  return audience !== undefined && isActive && seesAudience(audience, viewer)
}
