import { type Actor, type Policy, policy } from '../../core/actor.ts'
import { isGlobalManager } from '../access/policy.ts'
import type { Platform } from '../platforms/types.ts'

/**
 * Members of a platform review its requests, and so do owners and developers everywhere; global tournament managers
 * review those of the system platform. (rest-interface: Tournament platforms and visibility)
 */
export function mayReview(actor: Actor, platform: Pick<Platform, 'isSystem'>): boolean {
  if (actor.platformRole !== null || actor.globalRoles.has('role:dev')) return true
  return platform.isSystem && isGlobalManager(actor)
}

/** Those who decide on the main listing, in addresses that name a tournament. (D27) */
export const mainListingReviewers: Policy = policy(
  'reviewers of the main listing and global tournament managers',
  (actor) => mayReview(actor, { isSystem: true }),
)

/** Organisers see a block as a rejection; system administrators see what it is. (rest-interface: GET visibility) */
export function maySeeBlocks(actor: Actor): boolean {
  return isGlobalManager(actor)
}
