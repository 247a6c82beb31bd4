import type { Constraints } from '../../../infra/db/constraints.ts'
import { unknownMatch } from '../../brackets/matches/rules.ts'

/** A match may be deleted, by generating its bracket again, while a user is assigned to it. */
export const streamAssignmentsConstraints: Constraints = {
  stream_assignments_match_guid_matches_guid_fk: unknownMatch,
}
