import { type Actor, type Policy, policy } from '../../../core/actor.ts'
import type { PlatformRole } from '../../../core/roles.ts'
import { isGlobalManager } from '../../tournaments/access/policy.ts'
import type { Platform } from './types.ts'

/** Who may do what on a platform. The actor's `platformRole` is what they are on the platform in question. */

interface Named {
  readonly platform: Pick<Platform, 'isSystem'>
}

/**
 * Members of a platform review its requests, and so do owners and developers everywhere; global tournament managers
 * review those of the system platform. (rest-interface: Tournament platforms and visibility)
 */
export function mayReview(actor: Actor, platform: Pick<Platform, 'isSystem'>): boolean {
  return roleOn(actor, platform) !== null
}

/**
 * What the actor is on a platform, as lists name it: owners and developers are `global` everywhere, and global tournament
 * managers reviewers of the system platform. (rest-interface: GET /tournament-platforms/mine; D24)
 */
export function roleOn(actor: Actor, platform: Pick<Platform, 'isSystem'>): PlatformRole | 'global' | null {
  if (actor.globalRoles.has('role:dev')) return 'global'
  if (actor.platformRole !== null) return actor.platformRole
  return platform.isSystem && isGlobalManager(actor) ? 'reviewer' : null
}

export const platformReviewers: Policy<Named> = policy('reviewers of the platform', (actor, { platform }) =>
  mayReview(actor, platform),
)

/** Members with the role `admin`, and owners and developers everywhere. (rest-interface: Tournament platforms and visibility) */
export const platformAdministrators: Policy = policy(
  'administrators of the platform',
  (actor) => actor.platformRole === 'admin' || actor.globalRoles.has('role:dev'),
)

/** Whoever looks after all platforms. (rest-interface: GET /admin/tournament-platforms/overview) */
export const platformOverseers: Policy = policy('owners, developers and global tournament managers', isGlobalManager)
