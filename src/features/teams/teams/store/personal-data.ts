import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { fieldAnswers, teamInvitations as invitations, teamMembers, teams } from '../tables.ts'

/** The teams that a user is in, what they answered for them, and the invitations that they were sent and have sent. */
export const teamsSections = {
  teams: listTeamsOf,
  answers: listAnswersOf,
  invitations: listInvitationsTo,
  invitationsSent: listInvitationsBy,
}

async function listTeamsOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      teamGuid: teams.guid,
      tournamentGuid: teams.tournamentGuid,
      id: teams.id,
      name: teams.name,
      status: teams.status,
      isCaptain: sql<boolean>`${teams.captainGuid} = ${teamMembers.userGuid}`,
      isActive: teamMembers.isActive,
      joinedAt: teamMembers.joinedAt,
    })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.guid, teamMembers.teamGuid))
    .where(eq(teamMembers.userGuid, userGuid))
    .orderBy(desc(teamMembers.joinedAt), desc(teams.guid))
    .limit(limit)
}

const columns = {
  guid: invitations.guid,
  teamGuid: invitations.teamGuid,
  tournamentGuid: invitations.tournamentGuid,
  message: invitations.message,
  status: invitations.status,
  createdAt: invitations.createdAt,
  decidedAt: invitations.decidedAt,
}

async function listInvitationsTo(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({ ...columns, invitedByGuid: invitations.invitedByGuid })
    .from(invitations)
    .where(eq(invitations.userGuid, userGuid))
    .orderBy(desc(invitations.createdAt), desc(invitations.guid))
    .limit(limit)
}

async function listInvitationsBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({ ...columns, userGuid: invitations.userGuid })
    .from(invitations)
    .where(eq(invitations.invitedByGuid, userGuid))
    .orderBy(desc(invitations.createdAt), desc(invitations.guid))
    .limit(limit)
}

async function listAnswersOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      tournamentGuid: teams.tournamentGuid,
      teamGuid: fieldAnswers.teamGuid,
      fieldGuid: fieldAnswers.fieldGuid,
      response: fieldAnswers.response,
      answeredAt: fieldAnswers.answeredAt,
    })
    .from(fieldAnswers)
    .innerJoin(teams, eq(teams.guid, fieldAnswers.teamGuid))
    .where(eq(fieldAnswers.userGuid, userGuid))
    .orderBy(desc(fieldAnswers.answeredAt), desc(fieldAnswers.guid))
    .limit(limit)
}
