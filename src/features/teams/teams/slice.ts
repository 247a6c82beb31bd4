import { clear, declarePersonalData } from '../../../infra/db/personal-data.ts'
import { userProblems } from '../../people/users/resolve.ts'
import type { Slice } from '../../slice.ts'
import { teamMediaFields } from './commands/media.ts'
import { leaveTeams } from './commands/parting.ts'
import { teamsConstraints } from './constraints.ts'
import { teamsEvents } from './events.ts'
import { fieldsFollower } from './followers.ts'
import { teamsDue } from './jobs.ts'
import { resolveInvitation, resolveMember, resolveTeam } from './resolve.ts'
import { invitationsProfilePart } from './routes/invitations.ts'
import { teamsInclude, teamsOperations } from './routes/teams.ts'
import { setMissingNameKeys } from './store/name-keys.ts'
import { teamsSections } from './store/personal-data.ts'
import { teamInvitations } from './tables.ts'

export const teams: Slice = {
  name: 'teams',
  tags: { teams: 'Teams of a tournament, their members and invitations.' },
  operations: teamsOperations,
  includes: { teams: teamsInclude },
  profile: { teamInvites: invitationsProfilePart },
  parameters: {
    team: {
      description: 'GUID or short id of a team in the tournament.',
      resolve: resolveTeam,
      problems: { 'team.unknown': 'missing' },
    },
    member: {
      description: 'GUID, chat-platform ID or verified ranking ID of a member of the team, or `@me` for the caller.',
      resolve: resolveMember,
      problems: userProblems,
    },
    invitation: {
      description: 'GUID of an invitation that the caller sent, got, or may take back.',
      resolve: resolveInvitation,
      isInTournament: true,
      problems: { 'invitation.unknown': 'missing' },
    },
  },
  constraints: teamsConstraints,
  events: teamsEvents,
  followers: [fieldsFollower],
  due: teamsDue,
  start: async ({ database }) => {
    while (await database.transaction(setMissingNameKeys)) {}
  },
  mediaFields: teamMediaFields,
  personalData: declarePersonalData({
    sections: teamsSections,
    forget: [leaveTeams, clear(teamInvitations, 'standInGuid')],
  }),
}
