import { and, desc, eq, getTableColumns, inArray, or, type SQL, sql } from 'drizzle-orm'
import { type Db, type Orm, statement, type Tx } from '../../../../infra/db/database.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { teamInvitations, teams } from '../tables.ts'
import type { Invitation, InvitationCounts, InvitationFacts } from '../types.ts'

const columns = getTableColumns(teamInvitations)

const factColumns = {
  invitation: columns,
  team: { guid: teams.guid, id: teams.id, name: teams.name, imageUrl: teams.imageUrl },
  tournament: { guid: tournaments.guid, id: tournaments.id, name: tournaments.name },
}

function selectFacts(orm: Orm) {
  return orm
    .select(factColumns)
    .from(teamInvitations)
    .innerJoin(teams, eq(teams.guid, teamInvitations.teamGuid))
    .innerJoin(tournaments, eq(tournaments.guid, teamInvitations.tournamentGuid))
}

const ofTeam = eq(teamInvitations.teamGuid, sql.placeholder('teamGuid'))
const ofUser = eq(teamInvitations.userGuid, sql.placeholder('userGuid'))
const isPending = eq(teamInvitations.status, 'pending')

/** The tournament is neither a draft nor over, so its invitations can still be accepted. */
const inOpenTournament = inArray(tournaments.status, ['approved', 'ongoing'])

const byGuid = statement('invitations.by_guid', (orm) =>
  selectFacts(orm).where(eq(teamInvitations.guid, sql.placeholder('guid'))),
)

export async function findInvitation(db: Db, guid: string): Promise<InvitationFacts | undefined> {
  return (await byGuid(db, { guid }))[0]
}

const pendingOfTeam = statement('invitations.pending_of_team', (orm) =>
  selectFacts(orm).where(and(ofTeam, isPending)).orderBy(desc(teamInvitations.createdAt), desc(teamInvitations.guid)),
)

/** Lists the pending invitations of a team, newest first. Their number is limited. */
export async function listPendingOfTeam(db: Db, teamGuid: string): Promise<InvitationFacts[]> {
  return pendingOfTeam(db, { teamGuid })
}

const pendingCounts = statement('invitations.pending_counts', (orm) =>
  orm
    .select({ teamGuid: teamInvitations.teamGuid, count: sql<number>`count(*)::int` })
    .from(teamInvitations)
    .where(and(sql`${teamInvitations.teamGuid} = any(${sql.placeholder('guids')}::uuid[])`, isPending))
    .groupBy(teamInvitations.teamGuid),
)

/** Counts the pending invitations of teams that have any. */
export async function countPending(db: Db, teamGuids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (teamGuids.length === 0) return new Map()
  return new Map((await pendingCounts(db, { guids: teamGuids })).map(({ teamGuid, count }) => [teamGuid, count]))
}

const openOfUser = statement('invitations.open_of_user', (orm) =>
  selectFacts(orm)
    .where(and(ofUser, isPending, inOpenTournament))
    .orderBy(desc(teamInvitations.createdAt), desc(teamInvitations.guid))
    .limit(500),
)

/** Lists the pending invitations of a user that can still be accepted, newest first. Their number is limited. */
export async function listOpenOfUser(db: Db, userGuid: string): Promise<InvitationFacts[]> {
  return openOfUser(db, { userGuid })
}

const countWhere = (...conditions: SQL[]) => sql<number>`(count(*) filter (where ${and(...conditions)}))::int`

const counts = statement('invitations.counts', (orm) =>
  orm
    .select({
      sent: { ofTeam: countWhere(ofTeam), ofBoth: countWhere(ofTeam, ofUser) },
      pending: {
        ofTeam: countWhere(isPending, ofTeam),
        ofUser: countWhere(isPending, ofUser, inOpenTournament),
        ofBoth: countWhere(isPending, ofTeam, ofUser),
      },
    })
    .from(teamInvitations)
    .innerJoin(tournaments, eq(tournaments.guid, teamInvitations.tournamentGuid))
    .where(or(ofTeam, and(ofUser, isPending))),
)

export async function countInvitations(db: Db, teamGuid: string, userGuid: string): Promise<InvitationCounts> {
  const [row] = await counts(db, { teamGuid, userGuid })
  if (row === undefined) throw new Error('a count was not returned')
  return row
}

export type NewInvitation = Pick<
  Invitation,
  'teamGuid' | 'tournamentGuid' | 'userGuid' | 'invitedByGuid' | 'byOrganiser' | 'message'
>

export async function insertInvitation(tx: Tx, invitation: NewInvitation): Promise<Invitation> {
  const [row] = await tx.session.orm.insert(teamInvitations).values(invitation).returning(columns)
  if (row === undefined) throw new Error('an inserted invitation was not returned')
  return row
}

export async function decideInvitation(
  tx: Tx,
  guid: string,
  status: Exclude<Invitation['status'], 'pending'>,
  now: Date,
): Promise<Invitation> {
  const [row] = await tx.session.orm
    .update(teamInvitations)
    .set({ status, decidedAt: now })
    .where(eq(teamInvitations.guid, guid))
    .returning(columns)
  if (row === undefined) throw new Error('an updated invitation was not returned')
  return row
}
