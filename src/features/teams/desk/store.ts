import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { MakingPosition } from '../../../core/page.ts'
import { madeAfter } from '../../../infra/db/creation-order.ts'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { users } from '../../people/users/tables.ts'
import { teamColumns } from '../teams/store/teams.ts'
import { teams } from '../teams/tables.ts'
import { teamNotes } from './tables.ts'
import type { Captain, DeskFilter, DeskTeam, Note } from './types.ts'

/** Which teams can match at all. The rules decide which of them are eligible. */
const candidates = {
  ready: sql`${teams.status} = 'unregistered' and ${teams.withdrawnAt} is null`,
  blocked: undefined,
  changed: sql`${teams.status} <> 'unregistered' and ${teams.changedAt} is not null`,
} as const satisfies Readonly<Record<DeskFilter, unknown>>

/** Lists at most `limit` teams in the order of their making. */
export async function listDeskTeams(
  db: Db,
  tournamentGuid: string,
  filter: DeskFilter | undefined,
  after: MakingPosition | undefined,
  limit: number,
): Promise<DeskTeam[]> {
  const rows = await db.session.orm
    .select({
      team: teamColumns,
      changedAt: teams.changedAt,
      note: { note: teamNotes.note, updatedAt: teamNotes.updatedAt },
    })
    .from(teams)
    .leftJoin(teamNotes, eq(teamNotes.teamGuid, teams.guid))
    .where(
      and(
        eq(teams.tournamentGuid, tournamentGuid),
        filter === undefined ? undefined : candidates[filter],
        madeAfter(teams, after),
      ),
    )
    .orderBy(asc(teams.createdAt), asc(teams.guid))
    .limit(limit)
  return rows
}

const noteOf = statement('desk.note', (orm) =>
  orm
    .select({ note: teamNotes.note, updatedAt: teamNotes.updatedAt })
    .from(teamNotes)
    .where(eq(teamNotes.teamGuid, sql.placeholder('teamGuid'))),
)

export async function findNote(db: Db, teamGuid: string): Promise<Note | null> {
  return (await noteOf(db, { teamGuid }))[0] ?? null
}

export async function upsertNote(tx: Tx, teamGuid: string, { note, updatedAt }: Note): Promise<void> {
  await tx.session.orm
    .insert(teamNotes)
    .values({ teamGuid, note, updatedAt })
    .onConflictDoUpdate({ target: teamNotes.teamGuid, set: { note, updatedAt } })
}

export async function deleteNote(tx: Tx, teamGuid: string): Promise<void> {
  await tx.session.orm.delete(teamNotes).where(eq(teamNotes.teamGuid, teamGuid))
}

/** The captains of those of the teams that are in the tournament. */
export async function listCaptains(tx: Tx, tournamentGuid: string, teamGuids: readonly string[]): Promise<Captain[]> {
  return tx.session.orm
    .select({
      teamGuid: teams.guid,
      captainGuid: teams.captainGuid,
      hasAccount: sql<boolean>`not ${users.isPlaceholder} and ${users.anonymisedAt} is null`,
    })
    .from(teams)
    .innerJoin(users, eq(users.guid, teams.captainGuid))
    .where(and(eq(teams.tournamentGuid, tournamentGuid), inArray(teams.guid, [...teamGuids])))
    .orderBy(asc(teams.createdAt), asc(teams.guid))
}
