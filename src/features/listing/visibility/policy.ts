import { type Actor, type Policy, policy } from '../../../core/actor.ts'
import { isGlobalManager } from '../../tournaments/access/policy.ts'
import { mayReview } from '../platforms/policy.ts'

/** Users who decide on the main listing, in addresses that name a tournament. (D27) */
export const mainListingReviewers: Policy = policy(
  'reviewers of the main listing and global tournament managers',
  (actor) => mayReview(actor, { isSystem: true }),
)

/**
 * Organisers see a block as a rejection; owners, developers and global tournament managers see the block.
 * (rest-interface: GET visibility)
 */
export function maySeeBlocks(actor: Actor): boolean {
  return isGlobalManager(actor)
}
