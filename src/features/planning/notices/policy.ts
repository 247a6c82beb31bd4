import { type Policy, policy } from '../../../core/actor.ts'
import type { AnyEvent } from '../../../core/events.ts'
import type { NoticeAudience } from './types.ts'

/** Holders of `global:notices:manage`; owners and developers hold it too. (D24) */
export const noticeManagers: Policy = policy('owners, developers and managers of notices', (actor) =>
  actor.globalRoles.has('global:notices:manage'),
)

export interface Viewer {
  readonly isSignedIn: boolean
  readonly isStaff: boolean
}

/**
 * `everyone` includes all visitors and `signed-in` all users. `staff` includes users who hold a global role, are
 * members of a platform, organise a tournament or hold a role in one, whatever its status. The audience says for which
 * viewers a notice is relevant. It does not protect a secret: every user may create a tournament. (domain: Notice)
 */
export function seesAudience(audience: NoticeAudience, { isSignedIn, isStaff }: Viewer): boolean {
  if (audience === 'everyone') return true
  return audience === 'staff' ? isStaff : isSignedIn
}

/** How far the clock that starts a notice may differ from the clock of the log, in milliseconds. */
const skewMs = 5_000

/**
 * The creation and the deletion of a notice are visible to the viewers who could see the notice at that time. (RT10)
 */
export function wasShown(event: AnyEvent & { readonly at: Date }, viewer: Viewer): boolean {
  if (event.type !== 'notice.created' && event.type !== 'notice.deleted') return false
  const { audience, startsAt, endsAt } = event.type === 'notice.created' ? event.after : event.before
  const at = event.at.getTime()
  const isActive = Date.parse(startsAt ?? '') <= at + skewMs && (endsAt == null || Date.parse(endsAt) > at)
  return audience !== undefined && isActive && seesAudience(audience, viewer)
}
