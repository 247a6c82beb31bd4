import { type Policy, policy } from '../../../core/actor.ts'
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
