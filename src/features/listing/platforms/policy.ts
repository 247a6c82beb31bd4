import { type Actor, type Policy, policy } from '../../../core/actor.ts'
import type { PlatformRole } from '../../../core/roles.ts'
import { isGlobalManager } from '../../tournaments/access/policy.ts'
import type { Platform } from './types.ts'

/** Rights on a platform. `platformRole` of the actor is their role on this platform. */

interface Named {
  readonly platform: Pick<Platform, 'isSystem'>
}

/**
 * Members of a platform review its requests. Owners and developers review on every platform, global tournament managers
 * on the system platform. (rest-interface: Tournament platforms and visibility)
 */
export function mayReview(actor: Actor, platform: Pick<Platform, 'isSystem'>): boolean {
  return roleOn(actor, platform) !== null
}

/**
 * The actor's role on a platform, as lists show it: `global` for owners and developers, `reviewer` for global
 * tournament managers on the system platform. (rest-interface: GET /tournament-platforms/mine; D24)
 */
export function roleOn(actor: Actor, platform: Pick<Platform, 'isSystem'>): PlatformRole | 'global' | null {
  if (actor.globalRoles.has('role:dev')) return 'global'
  if (actor.platformRole !== null) return actor.platformRole
  return platform.isSystem && isGlobalManager(actor) ? 'reviewer' : null
}

export const platformReviewers: Policy<Named> = policy('reviewers of the platform', (actor, { platform }) =>
  mayReview(actor, platform),
)

/**
 * Members with the role `admin`; owners and developers on every platform. (rest-interface: Tournament platforms and
 * visibility)
 */
export const platformAdministrators: Policy = policy(
  'administrators of the platform',
  (actor) => actor.platformRole === 'admin' || actor.globalRoles.has('role:dev'),
)

/** Users who manage all platforms. (rest-interface: GET /admin/tournament-platforms/overview) */
export const platformOverseers: Policy = policy('owners, developers and global tournament managers', isGlobalManager)
