import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { declarePersonalData, rowsOf } from '../../../infra/db/personal-data.ts'
import { eventLog } from '../../../infra/events/tables.ts'
import { teams } from '../../teams/teams/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { rehearsals } from './tables.ts'
import type { Rehearsal } from './types.ts'

/** Rehearsals that a user made. They stay with the tournament after the account is deleted. */
export const rehearsalsPersonalData = declarePersonalData({
  sections: {
    rehearsals: rowsOf(rehearsals, 'createdBy', { shows: ['guid', 'name', 'isReset', 'seed', 'noShows', 'createdAt'] }),
  },
})

const lastUsedAt = sql<Date>`coalesce((
  select e.at from ${eventLog} e where e.tournament = ${rehearsals.guid} order by e.seq desc limit 1), ${rehearsals.createdAt})`.mapWith(
  rehearsals.createdAt,
)

const columns = {
  guid: rehearsals.guid,
  id: tournaments.id,
  name: rehearsals.name,
  isReset: rehearsals.isReset,
  seed: rehearsals.seed,
  noShows: rehearsals.noShows,
  of: sql<string>`${tournaments.rehearsalOf}`,
  createdBy: rehearsals.createdBy,
  createdAt: rehearsals.createdAt,
  lastUsedAt,
}

const found = statement('rehearsals.find', (orm) =>
  orm
    .select(columns)
    .from(rehearsals)
    .innerJoin(tournaments, eq(tournaments.guid, rehearsals.guid))
    .where(eq(rehearsals.guid, sql.placeholder('guid'))),
)

export async function findRehearsal(db: Db, guid: string): Promise<Rehearsal | undefined> {
  return (await found(db, { guid }))[0]
}

const listed = statement('rehearsals.list', (orm) =>
  orm
    .select(columns)
    .from(rehearsals)
    .innerJoin(tournaments, eq(tournaments.guid, rehearsals.guid))
    .where(eq(tournaments.rehearsalOf, sql.placeholder('of')))
    .orderBy(asc(rehearsals.createdAt), asc(rehearsals.guid)),
)

/** Lists the rehearsals of a tournament, oldest first. */
export async function listRehearsals(db: Db, of: string): Promise<Rehearsal[]> {
  return listed(db, { of })
}

/** Lists rehearsals that were last used before an instant; at most 50. */
export async function listUnused(db: Db, before: Date): Promise<Rehearsal[]> {
  return db.session.orm
    .select(columns)
    .from(rehearsals)
    .innerJoin(tournaments, eq(tournaments.guid, rehearsals.guid))
    .where(sql`${lastUsedAt} < ${before.toISOString()}::timestamptz`)
    .orderBy(asc(rehearsals.guid))
    .limit(50)
}

/** GUIDs of the teams that take part in a tournament, in an order that is the same in every copy of it. */
export async function listTakingPart(db: Db, tournamentGuid: string): Promise<string[]> {
  const rows = await db.session.orm
    .select({ guid: teams.guid })
    .from(teams)
    .where(and(eq(teams.tournamentGuid, tournamentGuid), ne(teams.status, 'unregistered')))
    .orderBy(sql`${teams.seed} asc nulls last`, asc(teams.id))
  return rows.map(({ guid }) => guid)
}

export async function insertRehearsal(tx: Tx, rehearsal: Omit<Rehearsal, 'id' | 'of' | 'lastUsedAt'>): Promise<void> {
  await tx.session.orm.insert(rehearsals).values(rehearsal)
}

/** Locks the rehearsal, and returns its name; undefined if it was deleted meanwhile. */
export async function lockName(tx: Tx, guid: string): Promise<string | undefined> {
  const [row] = await tx.session.orm
    .select({ name: rehearsals.name })
    .from(rehearsals)
    .where(eq(rehearsals.guid, guid))
    .for('update')
  return row?.name
}

export async function writeName(tx: Tx, guid: string, name: string): Promise<void> {
  await tx.session.orm.update(rehearsals).set({ name }).where(eq(rehearsals.guid, guid))
}
