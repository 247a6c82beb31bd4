import type { Constraints } from '../../../infra/db/constraints.ts'
import { unknownMatch } from '../../brackets/matches/rules.ts'

/** The bracket may be generated anew while somebody is assigned. */
export const streamAssignmentsConstraints: Constraints = {
  stream_assignments_match_guid_matches_guid_fk: unknownMatch,
}
