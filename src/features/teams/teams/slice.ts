import type { Slice } from '../../slice.ts'
import { leaveTeams } from './commands/parting.ts'
import { teamsConstraints } from './constraints.ts'
import { teamsEvents } from './events.ts'
import { resolveInvitation, resolveMember, resolveTeam } from './resolve.ts'
import { invitationsProfilePart } from './routes/invitations.ts'
import { teamsInclude, teamsOperations } from './routes/teams.ts'
import { setMissingNameKeys } from './store/name-keys.ts'
import { teamsSections } from './store/personal-data.ts'

export const teams: Slice = {
  name: 'teams',
  operations: teamsOperations,
  includes: { teams: teamsInclude },
  profile: { teamInvites: invitationsProfilePart },
  resolvers: { team: resolveTeam, member: resolveMember, invitation: resolveInvitation },
  constraints: teamsConstraints,
  events: teamsEvents,
  start: async ({ database }) => {
    while (await database.transaction(setMissingNameKeys)) {}
  },
  personalData: { sections: teamsSections, forget: leaveTeams },
}
