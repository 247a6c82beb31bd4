import { conflict } from '../../../core/problem.ts'
import type { Constraints } from '../../../infra/db/constraints.ts'
import { teamInBracket } from '../matches/constraints.ts'

export const bracketsConstraints: Constraints = {
  divisions_id: () => conflict('division.id_taken', 'Another division of the tournament has this id.'),
  bracket_entrants_team_guid_teams_guid_fk: teamInBracket,
}
