import { and, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import { databaseNow } from '../../../../infra/db/clock.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { poolMaps, pools } from '../../../maps/pools/tables.ts'
import { flowRows, flowSessions } from '../tables.ts'
import type { PoolStanding, SessionRecord } from '../types.ts'

const { seed: _seed, ...columns } = getTableColumns(flowSessions)

export { columns as sessionColumns }

const guid = sql.placeholder('guid')

const byGuid = statement('flow_sessions.by_guid', (orm) =>
  orm.select(columns).from(flowSessions).where(eq(flowSessions.guid, guid)),
)

export async function findSession(db: Db, sessionGuid: string): Promise<SessionRecord | undefined> {
  return (await byGuid(db, { guid: sessionGuid }))[0]
}

const locked = statement('flow_sessions.lock', (orm) =>
  orm
    .select({ record: columns, seed: flowSessions.seed })
    .from(flowSessions)
    .where(eq(flowSessions.guid, guid))
    .for('no key update'),
)

/**
 * A session with the seed of its draws. Before the session is over, the seed is in no answer, event, log or audit
 * entry. (match-flows: Draws)
 */
export interface LockedSession {
  readonly record: SessionRecord
  readonly seed: Uint8Array
}

/**
 * Locks a session. Every change of a session takes this lock, after the lock of its match's bracket. (match-flows: Log
 * and state, rule 3)
 */
export async function lockSession(tx: Tx, sessionGuid: string): Promise<LockedSession | undefined> {
  return (await locked(tx, { guid: sessionGuid }))[0]
}

const currentOf = statement('flow_sessions.current', (orm) =>
  orm
    .select(columns)
    .from(flowSessions)
    .where(and(sql`${flowSessions.matchGuid} = any(${sql.placeholder('matchGuids')}::uuid[])`, flowSessions.isCurrent)),
)

/** Current sessions by match; a match without a session has no entry. */
export async function findCurrentOfMatches(
  db: Db,
  matchGuids: readonly string[],
): Promise<ReadonlyMap<string, SessionRecord>> {
  if (matchGuids.length === 0) return new Map()
  const rows = await currentOf(db, { matchGuids })
  return new Map(rows.flatMap((row) => (row.matchGuid === null ? [] : [[row.matchGuid, row]])))
}

export async function findCurrentOfMatch(db: Db, matchGuid: string): Promise<SessionRecord | undefined> {
  return (await findCurrentOfMatches(db, [matchGuid])).get(matchGuid)
}

/** Whether outsiders see the play of a match with a delay. (match-flows: Spectators) */
export async function isMatchShownLate(db: Db, matchGuid: string): Promise<boolean> {
  const current = await findCurrentOfMatch(db, matchGuid)
  return current !== undefined && current.viewDelaySeconds > 0
}

const shownOf = statement('flow_sessions.shown', (orm) =>
  orm
    .select(columns)
    .from(flowSessions)
    .where(
      and(
        eq(flowSessions.matchGuid, sql.placeholder('matchGuid')),
        sql`(${flowSessions.viewDelaySeconds} = 0 or ${flowSessions.shownPosition} > 0)`,
      ),
    )
    .orderBy(sql`${flowSessions.createdAt} desc, ${flowSessions.guid} desc`)
    .limit(1),
)

/**
 * The session of a match that outsiders see: the one before the current session while no row of the current one is
 * shown.
 */
export async function findShownOfMatch(db: Db, matchGuid: string): Promise<SessionRecord | undefined> {
  return (await shownOf(db, { matchGuid }))[0]
}

const liveOf = statement('flow_sessions.live_of_tournament', (orm) =>
  orm
    .select({ guid: flowSessions.guid })
    .from(flowSessions)
    .where(
      and(
        eq(flowSessions.tournamentGuid, sql.placeholder('tournamentGuid')),
        inArray(flowSessions.status, ['running', 'paused']),
      ),
    )
    .orderBy(flowSessions.guid),
)

/** Running and paused sessions of a tournament, in the order in which they are locked. */
export async function listLiveSessions(tx: Tx, tournamentGuid: string): Promise<readonly string[]> {
  return (await liveOf(tx, { tournamentGuid })).map((row) => row.guid)
}

/** Locks by user and by tournament, so that free sessions are created one after the other and their limits hold. */
export async function lockFree(tx: Tx, userGuid: string, tournamentGuid: string): Promise<void> {
  for (const owner of [`flow_sessions of ${userGuid}`, `flow_sessions in ${tournamentGuid}`])
    await tx.session.orm.execute(sql`select pg_advisory_xact_lock(hashtextextended(${owner}, 0))`)
}

/**
 * The number of free sessions that the user began and that are not over, in the rehearsal or in all real tournaments, and
 * the number of all free sessions in the tournament.
 */
export async function countFree(
  tx: Tx,
  userGuid: string,
  tournamentGuid: string,
): Promise<{ readonly live: number; readonly kept: number }> {
  const isFree = isNull(flowSessions.matchGuid)
  const isLive = inArray(flowSessions.status, ['running', 'paused'])
  const [live, kept] = await Promise.all([
    tx.session.orm.$count(
      flowSessions,
      and(eq(flowSessions.begunByGuid, userGuid), isFree, isLive, sql`runs_here(${flowSessions.tournamentGuid})`),
    ),
    tx.session.orm.$count(flowSessions, and(eq(flowSessions.tournamentGuid, tournamentGuid), isFree)),
  ])
  return { live, kept }
}

export async function countOfMatch(tx: Tx, matchGuid: string): Promise<number> {
  return tx.session.orm.$count(flowSessions, eq(flowSessions.matchGuid, matchGuid))
}

/** Saves the new seed of a reopened session. */
export async function writeSeed(tx: Tx, sessionGuid: string, seed: Uint8Array): Promise<void> {
  await tx.session.orm
    .update(flowSessions)
    .set({ seed: Buffer.from(seed) })
    .where(eq(flowSessions.guid, sessionGuid))
}

export async function insertSession(tx: Tx, session: SessionRecord, seed: Uint8Array): Promise<void> {
  await tx.session.orm.insert(flowSessions).values({ ...session, seed: Buffer.from(seed) })
}

const instant = (name: string) => sql`${sql.placeholder(name)}::timestamptz`

const rewrite = statement('flow_sessions.rewrite', (orm) =>
  orm
    .update(flowSessions)
    .set({
      isCurrent: sql`${sql.placeholder('isCurrent')}::bool`,
      status: sql`${sql.placeholder('status')}::text`,
      position: sql`${sql.placeholder('position')}::int`,
      shownPosition: sql`${sql.placeholder('shownPosition')}::int`,
      shownStatus: sql`${sql.placeholder('shownStatus')}::text`,
      speakers: sql`${sql.placeholder('speakers')}::jsonb`,
      clockNumber: sql`${sql.placeholder('clockNumber')}::int`,
      isOverdue: sql`${sql.placeholder('isOverdue')}::bool`,
      dueAt: instant('dueAt'),
      lapsesAt: instant('lapsesAt'),
      showsAt: instant('showsAt'),
      updatedAt: instant('updatedAt'),
      endedAt: instant('endedAt'),
      expiresAt: instant('expiresAt'),
    })
    .where(eq(flowSessions.guid, guid)),
)

/** Saves the columns of a session that can change. Call under `lockSession`. */
export async function updateSession(tx: Tx, session: SessionRecord): Promise<void> {
  const { isCurrent, status, position, shownPosition, shownStatus, clockNumber, isOverdue } = session
  await rewrite(tx, {
    guid: session.guid,
    isCurrent,
    status,
    position,
    shownPosition,
    shownStatus,
    clockNumber,
    isOverdue,
    speakers: JSON.stringify(session.speakers),
    dueAt: session.dueAt?.toISOString() ?? null,
    lapsesAt: session.lapsesAt?.toISOString() ?? null,
    showsAt: session.showsAt?.toISOString() ?? null,
    updatedAt: session.updatedAt.toISOString(),
    endedAt: session.endedAt?.toISOString() ?? null,
    expiresAt: session.expiresAt?.toISOString() ?? null,
  })
}

export async function deleteSessions(tx: Tx, tournamentGuid: string): Promise<void> {
  await tx.session.orm.delete(flowSessions).where(eq(flowSessions.tournamentGuid, tournamentGuid))
}

export async function deleteSession(tx: Tx, sessionGuid: string): Promise<void> {
  await tx.session.orm.delete(flowSessions).where(eq(flowSessions.guid, sessionGuid))
}

/**
 * Whether everybody may see all maps that a session has copied from its pool into its first row. A session that began
 * with a published pool has only released maps; one that began with a draft has all. (match-flows: FFA; Plan) Needs a
 * row of `pools` and one of `flow_sessions`.
 */
export const isPoolOpen = sql<boolean>`${pools.status} <> 'draft' and not exists (
  select from ${poolMaps} m join ${flowRows} r on r.session_guid = ${flowSessions.guid} and r.position = 1
  where m.pool_guid = ${pools.guid} and m.released_at is null
    and r.data -> 'pool' @> jsonb_build_array(jsonb_build_object('guid', m.guid)))`

const withPool = statement('flow_sessions.with_pool', (orm) =>
  orm
    .select({ record: columns, pool: { isOpen: isPoolOpen, previewRoles: pools.previewRoles } })
    .from(flowSessions)
    .leftJoin(pools, eq(pools.guid, flowSessions.poolGuid))
    .where(eq(flowSessions.guid, guid)),
)

/** A session with the visibility of its pool. */
export interface SessionWithPool {
  readonly record: SessionRecord
  readonly pool: PoolStanding | null
}

export async function findSessionWithPool(db: Db, sessionGuid: string): Promise<SessionWithPool | undefined> {
  const [row] = await withPool(db, { guid: sessionGuid })
  if (row === undefined) return undefined
  // Without a pool, every member is null, although the types do not say so.
  const hasPool = ((row.pool?.previewRoles ?? null) as readonly unknown[] | null) !== null
  return { record: row.record, pool: hasPool ? row.pool : null }
}

const openTo = statement('flow_sessions.open', (orm) =>
  orm
    .select({
      isOpen: sql<boolean>`case when ${flowSessions.matchGuid} is not null or ${flowSessions.poolGuid} is null then true
        else exists (select from ${pools} where ${pools.guid} = ${flowSessions.poolGuid} and ${isPoolOpen}) end`,
      now: databaseNow,
    })
    .from(flowSessions)
    .where(eq(flowSessions.guid, guid)),
)

/** Whether everybody may see the session's pool, and the database's time; undefined if the session does not exist. */
export async function findStanding(tx: Tx, session: string): Promise<{ isOpen: boolean; now: Date } | undefined> {
  const [found] = await openTo(tx, { guid: session })
  return found
}

/** A free session may have a draft pool, whose maps only some users may see. */
export async function isForEverybody(tx: Tx, session: Pick<SessionRecord, 'guid'>): Promise<boolean> {
  return (await findStanding(tx, session.guid))?.isOpen === true
}
