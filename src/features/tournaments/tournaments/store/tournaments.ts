import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { parseIdentifier } from '../../../../core/ids.ts'
import { missing } from '../../../../core/problem.ts'
import type { PlatformRole, TournamentRole } from '../../../../core/roles.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { platformMembers, platforms } from '../../../listing/platforms/tables.ts'
import { visibilityRequests } from '../../../listing/visibility/tables.ts'
import { tournamentRoleHolders } from '../../access/tables.ts'
import { isDraft, listings, tournamentCounts, tournaments } from '../tables.ts'
import {
  type AdditionalField,
  type Counts,
  listedStatuses,
  type Placement,
  type Settings,
  type Tournament,
} from '../types.ts'

const {
  search: _search,
  streamDelayFrom: _streamDelayFrom,
  channelDelaySeconds: _channelDelaySeconds,
  restoredAt: _restoredAt,
  ...tournamentColumns
} = getTableColumns(tournaments)

/** A tournament with the viewer's roles in relation to it; in a rehearsal, the roles in the real tournament. (R1) */
export interface Seen {
  readonly tournament: Tournament
  readonly isOrganiser: boolean
  readonly roles: readonly TournamentRole[]
  /** Whether the viewer reviews or administers a platform that the tournament has asked. */
  readonly isReviewer: boolean
  /** The viewer's role on the system platform. */
  readonly systemRole: PlatformRole | null
}

const viewer = sql`${sql.placeholder('viewer')}::uuid`

/** Drizzle does not qualify columns in a query on one table, so subqueries name their tables by aliases. */
export const viewerColumns = {
  tournament: tournamentColumns,
  isOrganiser: sql<boolean>`coalesce((
    case when ${tournaments}.rehearsal_of is null then ${tournaments}.organiser_guid
      else (select o.organiser_guid from ${tournaments} o where o.guid = ${tournaments}.rehearsal_of) end) = ${viewer}, false)`,
  roles: sql<TournamentRole[]>`array(
    select h.role from ${tournamentRoleHolders} h
    where h.tournament_guid = coalesce(${tournaments}.rehearsal_of, ${tournaments}.guid) and h.user_guid = ${viewer})`,
  isReviewer: sql<boolean>`exists (
    select from ${visibilityRequests} r join ${platformMembers} m on m.platform_guid = r.platform_guid
    where r.tournament_guid = ${tournaments}.guid and m.user_guid = ${viewer} and r.status <> 'withdrawn')`,
  systemRole: sql<PlatformRole | null>`(
    select m.role from ${platformMembers} m join ${platforms} p on p.guid = m.platform_guid
    where p.is_system and m.user_guid = ${viewer})`,
}

const seenByGuid = statement('tournaments.seen_by_guid', (orm) =>
  orm
    .select(viewerColumns)
    .from(tournaments)
    .where(eq(tournaments.guid, sql.placeholder('guid'))),
)

const seenById = statement('tournaments.seen_by_id', (orm) =>
  orm
    .select(viewerColumns)
    .from(tournaments)
    .where(eq(tournaments.id, sql.placeholder('id'))),
)

/**
 * Finds a tournament by GUID or short id, with the viewer's roles in it. The policy decides whether the viewer may see
 * it.
 */
export async function findTournamentFor(db: Db, identifier: string, viewer: string | null): Promise<Seen | undefined> {
  const parsed = parseIdentifier(identifier)
  if (parsed === null) return undefined
  const rows =
    'guid' in parsed ? await seenByGuid(db, { ...parsed, viewer }) : await seenById(db, { ...parsed, viewer })
  return rows[0]
}

const locked = statement('tournaments.lock', (orm) =>
  orm
    .select({ tournament: tournamentColumns, counts: countColumns })
    .from(tournaments)
    .innerJoin(tournamentCounts, eq(tournamentCounts.tournamentGuid, tournaments.guid))
    .where(eq(tournaments.guid, sql.placeholder('guid')))
    .for('update'),
)

const countColumns = {
  teams: tournamentCounts.teams,
  registered: tournamentCounts.registered,
  qualified: tournamentCounts.qualified,
  players: tournamentCounts.players,
}

/**
 * Locks the tournament and its totals for the rest of the transaction and returns their current state. Every change of
 * its settings, status, teams and registrations takes this lock, so these changes are serialised.
 */
export async function lockTournament(
  tx: Tx,
  guid: string,
): Promise<{ tournament: Tournament; counts: Counts } | undefined> {
  return (await locked(tx, { guid }))[0]
}

interface Restored {
  /** What was due by then is not done here; null unless it was restored from a package. (P6) */
  readonly restoredAt: Date | null
}

const lockedForShare = statement('tournaments.hold_status', (orm) =>
  orm
    .select({ status: tournaments.status, restoredAt: tournaments.restoredAt })
    .from(tournaments)
    .where(eq(tournaments.guid, sql.placeholder('guid')))
    .for('share'),
)

/**
 * Finds the tournament, unless it is gone or cancelled. A share lock keeps that true until the transaction ends. It is
 * for scheduled jobs: the kernel checks the status only for requests. Call it before locking anything else of the
 * tournament. (D25)
 */
export async function lockUncancelledForShare(tx: Tx, guid: string): Promise<Restored | undefined> {
  const [tournament] = await lockedForShare(tx, { guid })
  return tournament?.status === 'cancelled' ? undefined : tournament
}

/** Locks several tournaments and their totals, always in the order of their GUIDs. */
export async function lockTournaments(tx: Tx, guids: readonly string[]): Promise<void> {
  await tx.session.orm
    .select({ guid: tournaments.guid })
    .from(tournaments)
    .innerJoin(tournamentCounts, eq(tournamentCounts.tournamentGuid, tournaments.guid))
    .where(inArray(tournaments.guid, [...guids]))
    .orderBy(tournaments.guid)
    .for('update')
}

const countsOf = statement('tournaments.counts', (orm) =>
  orm
    .select(countColumns)
    .from(tournamentCounts)
    .where(eq(tournamentCounts.tournamentGuid, sql.placeholder('guid'))),
)

/** @throws Problem `tournament.unknown` if the tournament was deleted in the meantime */
export async function readCounts(db: Db, guid: string): Promise<Counts> {
  const [row] = await countsOf(db, { guid })
  if (row === undefined) throw missing('tournament.unknown', 'There is no such tournament.')
  return row
}

const addToCounts = statement('tournaments.add_to_counts', (orm) =>
  orm
    .update(tournamentCounts)
    .set({
      teams: sql`${tournamentCounts.teams} + ${sql.placeholder('teams')}`,
      registered: sql`${tournamentCounts.registered} + ${sql.placeholder('registered')}`,
      qualified: sql`${tournamentCounts.qualified} + ${sql.placeholder('qualified')}`,
      players: sql`${tournamentCounts.players} + ${sql.placeholder('players')}`,
    })
    .where(eq(tournamentCounts.tournamentGuid, sql.placeholder('guid'))),
)

/** Adds the given differences to the totals. Call it under `lockTournament`. */
export async function changeCounts(tx: Tx, guid: string, by: Partial<Counts>): Promise<void> {
  await addToCounts(tx, { guid, teams: 0, registered: 0, qualified: 0, players: 0, ...by })
}

export type CountsChange = { readonly tournamentGuid: string } & Pick<Counts, 'teams' | 'players'>

/** Does the same for several tournaments, each named once. Call it under `lockTournaments`. */
export async function changeCountsOfMany(tx: Tx, changes: readonly CountsChange[]): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${tournamentCounts} c set teams = c.teams + d.teams, players = c.players + d.players
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as d ("tournamentGuid" uuid, teams int, players int)
    where c.tournament_guid = d."tournamentGuid"`)
}

/**
 * Updates the lists to match the tournament's status and the decisions on its visibility requests. Call it after every
 * change of either, in the same transaction. (D26)
 */
export async function refreshListings(tx: Tx, guid: string): Promise<void> {
  const { orm } = tx.session
  await orm.delete(listings).where(eq(listings.tournamentGuid, guid))
  await orm.execute(sql`
    insert into ${listings} (platform_guid, tournament_guid, status, sort_at)
    select r.platform_guid, t.guid, t.status, coalesce(t.starts_at, to_timestamp(0))
    from ${tournaments} t
    join ${visibilityRequests} r on r.tournament_guid = t.guid and r.status = 'approved'
    where t.guid = ${guid} and t.status in (${sql.join(
      listedStatuses.map((status) => sql`${status}`),
      sql`, `,
    )})`)
}

/** The number of drafts that the user organises. */
export async function countDrafts(db: Db, organiserGuid: string): Promise<number> {
  return db.session.orm.$count(tournaments, and(eq(tournaments.organiserGuid, organiserGuid), isDraft(tournaments)))
}

export type NewTournament = Settings & { readonly organiserGuid: string }

/** Inserts a draft with its totals. */
export async function insertTournament(tx: Tx, tournament: NewTournament): Promise<Tournament> {
  const { orm } = tx.session
  const [row] = await orm.insert(tournaments).values(writable(tournament)).returning(tournamentColumns)
  if (row === undefined) throw new Error('an inserted tournament was not returned')
  await orm.insert(tournamentCounts).values({ tournamentGuid: row.guid })
  return row
}

export type TournamentChanges = Partial<
  Settings &
    Pick<Tournament, 'status' | 'organiserGuid' | 'visibilityScope' | 'approvedAt' | 'completedAt' | 'placements'>
>

/**
 * `updatedAt` grows with every change that the public may see, even within one millisecond, so that it identifies a
 * state.
 * @param isShown whether the public may see a part of the change
 */
export async function updateTournament(
  tx: Tx,
  guid: string,
  changes: TournamentChanges,
  now: Date,
  isShown = true,
): Promise<Tournament> {
  const later = sql`greatest(${now.toISOString()}::timestamptz, ${tournaments.updatedAt} + interval '1 millisecond')`
  const [row] = await tx.session.orm
    .update(tournaments)
    .set({ ...writable(changes), ...(isShown ? { updatedAt: later } : {}) })
    .where(eq(tournaments.guid, guid))
    .returning(tournamentColumns)
  if (row === undefined) throw new Error('an updated tournament was not returned')
  return row
}

/** Drizzle types list columns as mutable lists, so readonly lists are cast here. */
function writable<
  T extends { readonly additionalFields?: readonly AdditionalField[]; readonly placements?: readonly Placement[] },
>(record: T) {
  const { additionalFields, placements, ...others } = record
  return {
    ...others,
    ...(additionalFields === undefined ? {} : { additionalFields: [...additionalFields] }),
    ...(placements === undefined ? {} : { placements: [...placements] }),
  }
}

/** Deletes the tournament with everything that belongs to it. */
export async function deleteTournament(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm.delete(tournaments).where(eq(tournaments.guid, guid))
}

/** Generates GUIDs for records that are stored inside the row of another record. */
export async function newGuids(db: Db, count: number): Promise<string[]> {
  if (count === 0) return []
  const { rows } = await db.session.orm.execute<{ guid: string }>(
    sql`select gen_random_uuid() as guid from generate_series(1, ${count})`,
  )
  return rows.map(({ guid }) => guid)
}
