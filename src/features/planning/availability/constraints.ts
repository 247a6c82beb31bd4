import type { Constraints } from '../../../infra/db/constraints.ts'
import { unknownTeam } from '../../teams/teams/commands/lock.ts'
import { unknownMatch } from './rules/sheet.ts'

/** A team or a match may be deleted just before a sheet or an answer refers to it. */
export const availabilityConstraints: Constraints = {
  availability_team_responses_team_guid_teams_guid_fk: unknownTeam,
  availability_matches_match_guid_matches_guid_fk: () => unknownMatch('of those any more'),
}
