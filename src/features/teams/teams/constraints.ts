import { conflict } from '../../../core/problem.ts'
import type { Constraints } from '../../../infra/db/constraints.ts'
import { nameTaken } from './rules/names.ts'
import { hasTeam, invitationExists } from './rules/teams.ts'

/** Teams of a tournament change under its lock, so the database usually refuses only duplicate names and ids. */
export const teamsConstraints: Constraints = {
  teams_name_key: nameTaken,
  teams_name_look: nameTaken,
  teams_id: () => conflict('team.id_taken', 'Another team of the tournament has this id.'),
  teams_captain: hasTeam,
  team_members_one_team: hasTeam,
  team_invitations_one_pending: invitationExists,
}
