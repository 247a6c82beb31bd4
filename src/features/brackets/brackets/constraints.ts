import { conflict } from '../../../core/problem.ts'
import type { Constraints } from '../../../infra/db/constraints.ts'

const inBracket = () =>
  conflict('team.in_bracket', 'The team stands in a bracket. Withdraw the team instead of deleting it.')

export const bracketsConstraints: Constraints = {
  divisions_id: () => conflict('division.id_taken', 'Another division of the tournament has this id.'),
  bracket_entrants_team_guid_teams_guid_fk: inBracket,
  matches_team1_guid_teams_guid_fk: inBracket,
  matches_team2_guid_teams_guid_fk: inBracket,
}
