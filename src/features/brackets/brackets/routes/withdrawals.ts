import { Type } from 'typebox'
import { command } from '../../../../core/operation.ts'
import { oneOf } from '../../../../core/schema.ts'
import { withdrawalPolicies } from '../../../../engine/types.ts'
import { captainAndOrganisers } from '../../../teams/teams/policy.ts'
import { readTeamView, TeamView } from '../../../teams/teams/views/teams.ts'
import { withdraw } from '../commands/withdrawals.ts'

const withdrawOperation = command({
  name: 'teams.withdraw',
  method: 'POST',
  path: '/tournaments/:tournament/teams/:team/withdraw',
  scope: 'rest:write',
  allow: captainAndOrganisers,
  summary: 'Take a team out of the tournament.',
  description:
    'The team is unregistered, and its place is free. It keeps its name and members; they only leave the active roster. In every bracket that is not over, its open and future matches become walkovers.',
  body: Type.Object(
    {
      reason: Type.String({ minLength: 1, maxLength: 500 }),
      policy: oneOf(withdrawalPolicies, {
        description:
          'Whether results that the team has already stay (`walkover`) or count for nobody (`void`, in round robin and Swiss alone; also where it left before, by being unregistered or disqualified).',
      }),
    },
    { examples: [{ reason: 'Two players are ill.', policy: 'walkover' }] },
  ),
  reply: { 200: TeamView },
  problems: { 'tournament.over': 409, 'team.withdrawn': 409, 'withdrawal.void_not_possible': 400 },
  run: async ({ tx, actor, tournament, team, body, now }) => {
    const target = { tournamentGuid: tournament.guid, teamGuid: team.guid }
    const changed = await withdraw(tx, actor, target, body, now)
    return readTeamView(tx, changed.tournament, changed.team, actor, now)
  },
})

export const withdrawalsOperations = [withdrawOperation]
