import { organisers } from '../../tournaments/access/policy.ts'

/**
 * A proposal tells what everybody answered, and changes the matches: only those may have one who may see all answers and
 * change every match. (additions: Availability)
 */
export const schedulers = organisers
