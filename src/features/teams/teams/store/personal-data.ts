import { desc, eq, sql } from 'drizzle-orm'
import { pick, rowsOf } from '../../../../infra/db/personal-data.ts'
import { fieldAnswers, teamInvitations as invitations, teamMembers, teams } from '../tables.ts'

const ofInvitations = ['guid', 'teamGuid', 'tournamentGuid', 'message', 'status', 'createdAt', 'decidedAt'] as const

/** A user's teams, answers for these teams, and invitations that the user received or sent. */
export const teamsSections = {
  teams: rowsOf(teamMembers, 'userGuid', {
    join: [teams, eq(teams.guid, teamMembers.teamGuid)],
    shows: [
      ...['teamGuid', pick(teams, 'tournamentGuid', 'id', 'name', 'status')],
      ...[{ isCaptain: sql<boolean>`${teams.captainGuid} = ${teamMembers.userGuid}` }, 'isActive', 'joinedAt'],
    ] as const,
    order: ['joinedAt', desc(teams.guid)],
  }),
  answers: rowsOf(fieldAnswers, 'userGuid', {
    join: [teams, eq(teams.guid, fieldAnswers.teamGuid)],
    shows: [pick(teams, 'tournamentGuid'), 'teamGuid', 'fieldGuid', 'response', 'answeredAt'],
    order: ['answeredAt', 'guid'],
  }),
  invitations: rowsOf(invitations, 'userGuid', { shows: [...ofInvitations, 'invitedByGuid'] }),
  invitationsSent: rowsOf(invitations, 'invitedByGuid', { shows: [...ofInvitations, 'userGuid'] }),
}
