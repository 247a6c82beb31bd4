import { conflict } from '../../../core/problem.ts'
import type { Constraints } from '../../../infra/db/constraints.ts'

/**
 * A team in a bracket cannot be deleted, since its matches stay. It withdraws instead. (additions: Divisions, brackets,
 * matches)
 */
export const teamInBracket = () =>
  conflict('team.in_bracket', 'The team stands in a bracket. Withdraw the team instead of deleting it.')

export const matchesConstraints: Constraints = {
  matches_team1_guid_teams_guid_fk: teamInBracket,
  matches_team2_guid_teams_guid_fk: teamInBracket,
}
