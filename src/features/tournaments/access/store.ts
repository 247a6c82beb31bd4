import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { TournamentRole } from '../../../core/roles.ts'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { declarePersonalData, deleteRows, rowsOf } from '../../../infra/db/personal-data.ts'
import { users } from '../../people/users/tables.ts'
import { teamMembers, teams } from '../../teams/teams/tables.ts'
import { tournaments } from '../tournaments/tables.ts'
import { tournamentRoleHolders as holders } from './tables.ts'
import type { RoleHolder } from './types.ts'

/** A user's roles in tournaments of others. A role keeps the GUID of the user who granted it. */
export const accessPersonalData = declarePersonalData({
  sections: {
    tournamentRoles: rowsOf(holders, 'userGuid', {
      shows: ['tournamentGuid', 'role', 'grantedAt', { grantedByGuid: holders.grantedBy }],
      order: ['grantedAt', asc(holders.tournamentGuid)],
    }),
  },
  forget: [deleteRows(holders, 'userGuid')],
})

const playing = statement('access.playing_poolers', (orm) => {
  const tournament = sql`${sql.placeholder('tournamentGuid')}::uuid`
  const plays = sql`
    select from ${teams} t where t.tournament_guid = ${tournament} and t.status in ('registered', 'qualified')
      and (t.captain_guid = u.guid or exists (
        select from ${teamMembers} m where m.team_guid = t.guid and m.user_guid = u.guid))`
  const pools = sql`
    select from ${holders} h where h.tournament_guid = ${tournament} and h.user_guid = u.guid
      and h.role in ('role:admin', 'role:hpooler', 'role:pooler')`
  const organises = sql`
    select from ${tournaments} o where o.guid = ${tournament} and o.organiser_guid = u.guid`
  return orm
    .select({ guid: sql<string>`u.guid` })
    .from(sql`unnest(${sql.placeholder('userGuids')}::uuid[]) as u (guid)`)
    .where(sql`exists (${plays}) and (exists (${pools}) or exists (${organises}))`)
})

/**
 * Returns which of these users hold a pooling role and play in a registered team of the tournament.
 * (pools: Who may do what)
 */
export async function listPlayingPoolers(
  db: Db,
  tournamentGuid: string,
  userGuids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userGuids.length === 0) return new Set()
  const rows = await playing(db, { tournamentGuid, userGuids: [...new Set(userGuids)] })
  return new Set(rows.map(({ guid }) => guid))
}

const holdersOf = statement('access.holders', (orm) =>
  orm
    .select({ userGuid: holders.userGuid, role: holders.role })
    .from(holders)
    .innerJoin(users, eq(users.guid, holders.userGuid))
    .where(and(eq(holders.tournamentGuid, sql.placeholder('tournamentGuid')), isNull(users.anonymisedAt)))
    .orderBy(asc(holders.grantedAt), asc(holders.userGuid)),
)

/** Lists the holders of each role in the order of granting. The organiser is stored in the tournament's row instead. */
export async function listRoleHolders(db: Db, tournamentGuid: string): Promise<RoleHolder[]> {
  return holdersOf(db, { tournamentGuid })
}

const lockOf = statement('access.lock', (orm) =>
  orm
    .select({ guid: tournaments.guid })
    .from(tournaments)
    .where(eq(tournaments.guid, sql.placeholder('tournamentGuid')))
    .for('no key update'),
)

/** Locks the tournament's roles, so that concurrent grants are serialised and the limit on their number holds. */
export async function lockRoles(tx: Tx, tournamentGuid: string): Promise<void> {
  await lockOf(tx, { tournamentGuid })
}

export async function countRoles(db: Db, tournamentGuid: string): Promise<number> {
  const [row] = await db.session.orm
    .select({ count: sql<number>`count(*)::int` })
    .from(holders)
    .where(eq(holders.tournamentGuid, tournamentGuid))
  return row?.count ?? 0
}

/** Returns false if the user held the role already. */
export async function insertRole(
  tx: Tx,
  tournamentGuid: string,
  holder: RoleHolder,
  grantedBy: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx.session.orm
    .insert(holders)
    .values({ tournamentGuid, ...holder, grantedBy, grantedAt: now })
    .onConflictDoNothing()
    .returning({ role: holders.role })
  return rows.length > 0
}

/** Returns false if the user did not hold the role. */
export async function deleteRole(
  tx: Tx,
  tournamentGuid: string,
  userGuid: string,
  role: TournamentRole,
): Promise<boolean> {
  const rows = await tx.session.orm
    .delete(holders)
    .where(and(eq(holders.tournamentGuid, tournamentGuid), eq(holders.userGuid, userGuid), eq(holders.role, role)))
    .returning({ role: holders.role })
  return rows.length > 0
}
