import { and, asc, eq, gt, ne, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { rowsOf } from '../../../infra/db/personal-data.ts'
import { eventLog } from '../../../infra/events/tables.ts'
import type { Faults } from '../../../infra/outbox/types.ts'
import { packagePeople } from '../../packages/packages/tables.ts'
import { rankingProfiles } from '../../people/rankings/tables.ts'
import { identities } from '../../people/users/tables.ts'
import { teamMembers, teams } from '../../teams/teams/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { rehearsals } from './tables.ts'
import type { Rehearsal } from './types.ts'

/** Rehearsals that a user made. They stay with the tournament after the account is deleted. */
export const rehearsalsSections = {
  rehearsals: rowsOf(rehearsals, 'createdBy', {
    shows: ['guid', 'name', 'source', 'isReset', 'seed', 'noShows', 'createdAt'],
  }),
}

const lastUsedAt = sql<Date>`coalesce((
  select e.at from ${eventLog} e where e.tournament = ${rehearsals.guid} order by e.seq desc limit 1), ${rehearsals.createdAt})`.mapWith(
  rehearsals.createdAt,
)

/** What its clock shows. */
const instant = sql<Date>`(select c.instant from rehearsal_clock(${rehearsals.guid}) c)`

const columns = {
  guid: rehearsals.guid,
  id: tournaments.id,
  name: rehearsals.name,
  source: rehearsals.source,
  isReset: rehearsals.isReset,
  seed: rehearsals.seed,
  noShows: rehearsals.noShows,
  strongest: rehearsals.strongest,
  of: sql<string>`${tournaments.rehearsalOf}`,
  createdBy: rehearsals.createdBy,
  createdAt: rehearsals.createdAt,
  beginsAt: rehearsals.beginsAt,
  lastUsedAt,
  faults: rehearsals.faults,
  clock: {
    base: rehearsals.base,
    at: rehearsals.at,
    rate: rehearsals.rate,
    isPaused: rehearsals.isPaused,
    now: instant.mapWith(rehearsals.base),
  },
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

/**
 * The best rank of an active member, by the GUID of the team; only of teams with one. Placeholders have the ranks of the
 * people whose places they have. (R4)
 */
export async function listRanks(db: Db, rehearsal: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.session.orm.execute<{ team: string; rank: number }>(sql`
    select m.team_guid as team, min(p.rank) as rank
    from ${teams} t
    join ${teamMembers} m on m.team_guid = t.guid and m.is_active
    join ${packagePeople} o on o.tournament_guid = t.tournament_guid and o.user_guid = m.user_guid
    join ${identities} i on i.user_guid = o.package_guid and i.platform = 'ranking-a' and i.verified_at is not null
    join ${rankingProfiles} p on p.platform = 'ranking-a' and p.external_id = i.external_id and p.rank > 0
    where t.tournament_guid = ${rehearsal} group by m.team_guid`)
  return new Map(rows.map(({ team, rank }) => [team, rank]))
}

/** Placeholders in rehearsals that have the place of a person, in the order of their GUIDs. */
export async function listPlacesOf(tx: Tx, person: string): Promise<string[]> {
  const rows = await tx.session.orm
    .select({ guid: packagePeople.userGuid })
    .from(packagePeople)
    .innerJoin(rehearsals, eq(rehearsals.guid, packagePeople.tournamentGuid))
    .where(eq(packagePeople.packageGuid, person))
    .orderBy(asc(packagePeople.userGuid))
  return rows.map(({ guid }) => guid)
}

/** @param startsAt where its clock begins, paused */
export async function insertRehearsal(
  tx: Tx,
  rehearsal: Omit<Rehearsal, 'id' | 'of' | 'lastUsedAt' | 'beginsAt' | 'clock' | 'faults'>,
  startsAt: Date,
): Promise<void> {
  await tx.session.orm.insert(rehearsals).values({ ...rehearsal, beginsAt: startsAt, base: startsAt, ranTo: startsAt })
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

/** Returns whether the rehearsal is still there. */
export async function writeFaults(tx: Tx, guid: string, faults: Faults): Promise<boolean> {
  const { rowCount } = await tx.session.orm.update(rehearsals).set({ faults }).where(eq(rehearsals.guid, guid))
  return (rowCount ?? 0) > 0
}

const running = statement('rehearsals.run', (orm) =>
  orm
    .select({ ranTo: rehearsals.ranTo, instant: instant.mapWith(rehearsals.base) })
    .from(rehearsals)
    .where(eq(rehearsals.guid, sql.placeholder('guid'))),
)

/** What a rehearsal's clock shows, and up to which instant of it everything that was due has run. */
export async function findRun(db: Db, guid: string): Promise<{ ranTo: Date; instant: Date } | undefined> {
  return (await running(db, { guid }))[0]
}

/** Lists the rehearsals whose clocks run. */
export async function listRunning(db: Db): Promise<{ readonly guid: string }[]> {
  return db.session.orm
    .select({ guid: rehearsals.guid })
    .from(rehearsals)
    .where(and(eq(rehearsals.isPaused, false), gt(rehearsals.rate, 0)))
    .orderBy(asc(rehearsals.guid))
}

/** Only from the given instant on, since others may have gone on from there. */
export async function writeRun(tx: Tx, guid: string, from: Date, to: Date): Promise<void> {
  await tx.session.orm
    .update(rehearsals)
    .set({ ranTo: to })
    .where(and(eq(rehearsals.guid, guid), eq(rehearsals.ranTo, from)))
}

/**
 * Moves the clock as well, if it is not there already.
 * @returns the GUID of the tournament that is rehearsed; undefined if others have gone on from there
 */
export async function writeMove(tx: Tx, guid: string, from: Date, to: Date): Promise<string | undefined> {
  const [moved] = await tx.session.orm
    .update(rehearsals)
    .set({
      ranTo: to,
      base: sql`greatest(${instant}, ${to.toISOString()}::timestamptz)`,
      at: sql`clock_timestamp()`,
    })
    .where(and(eq(rehearsals.guid, guid), eq(rehearsals.ranTo, from)))
    .returning({
      of: sql<string>`(select t.rehearsal_of from ${tournaments} t where t.guid = rehearsals.guid)`,
    })
  return moved?.of
}

/** Has the clock go on otherwise from what it shows, and returns that; undefined if the rehearsal is not there. */
export async function writeClock(
  tx: Tx,
  guid: string,
  changes: { readonly rate: number | undefined; readonly isPaused: boolean | undefined },
): Promise<Date | undefined> {
  const [row] = await tx.session.orm
    .update(rehearsals)
    .set({ ...changes, base: instant, at: sql`clock_timestamp()` })
    .where(eq(rehearsals.guid, guid))
    .returning({ base: rehearsals.base })
  return row?.base
}
