import { organisers } from '../../tournaments/access/policy.ts'

/**
 * A proposal reveals all answers and changes matches, so it is for users who may read all answers and change every
 * match. (additions: Availability)
 */
export const schedulers = organisers
