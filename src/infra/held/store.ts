import { sql } from 'drizzle-orm'
import type { Database, Db, Tx, ViewLane } from '../db/database.ts'
import type { Lane } from './held.ts'

/** GUIDs of the held tournaments, each with the GUIDs of its organiser and of everybody with a role in it. */
export async function listHeld(db: Db): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { rows } = await db.session.orm.execute<{ tournament: string; insiders: readonly string[] }>(sql`
    select t.guid as tournament, array(
      select t.organiser_guid union select r.user_guid from tournament_role_holders r where r.tournament_guid = t.guid
    )::text[] as insiders
    from spoiler_horizons h join tournaments t on t.guid = h.tournament_guid`)
  return new Map(rows.map(({ tournament, insiders }) => [tournament, new Set(insiders)]))
}

/**
 * Runs `work` on a snapshot in which tables show held tournaments as they are at their horizons. The horizon of each is
 * the same for all statements.
 */
export async function readHeldRows<T>(
  database: Database,
  lane: ViewLane,
  { inside }: Lane,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  return database.snapshotThrough('held', lane, async (db) => {
    const entered = db.session.orm.execute(sql`select set_config('downbeat.inside', ${`{${inside.join()}}`}, true)`)
    const [result] = await Promise.all([work(db), entered])
    return result
  })
}

/**
 * How late, in seconds, an answer is: that of its tournament or, for an answer about all tournaments, the longest delay
 * of those that are held from the reader. null where nothing of it is held.
 */
export async function findSeconds(db: Db, tournament: string | null): Promise<number | null> {
  const { rows } = await db.session.orm.execute<{ seconds: number | null }>(sql`
    select max(h.seconds) as seconds from held.hidden t cross join lateral horizon_of(t.tournament_guid) h
    where ${tournament}::uuid is null or t.tournament_guid = ${tournament}::uuid`)
  return rows[0]?.seconds ?? null
}

/** Whether a user is in one of the teams of a match, which sees its own match as it is now. */
export async function playsInMatch(db: Db, match: string, user: string): Promise<boolean> {
  const { rows } = await db.session.orm.execute(sql`
    select from public.matches m
    join team_members p on p.team_guid in (m.team1_guid, m.team2_guid) and p.user_guid = ${user}::uuid
    where m.guid = ${match}::uuid limit 1`)
  return rows.length > 0
}

/** The position of a held tournament. */
export interface Horizon {
  readonly seconds: number
  readonly horizon: Date
  /** The number of changed rows that are not shown yet. */
  readonly waiting: number
}

/** null for a tournament that is not held. */
export async function findHorizon(db: Db, tournament: string): Promise<Horizon | null> {
  const { rows } = await db.session.orm.execute<{ seconds: number; horizon: string; waiting: number }>(
    sql`select seconds, horizon, waiting from horizon_of(${tournament}::uuid)`,
  )
  const [row] = rows
  return row === undefined ? null : { ...row, horizon: new Date(row.horizon) }
}

/** Held tournaments in which something is due to be shown. */
export async function listDueHorizons(
  db: Db,
): Promise<{ readonly guids: readonly string[]; readonly nextMs: number | null }> {
  const { rows } = await db.session.orm.execute<{ guid: string; ms: number }>(sql`
    select h.tournament_guid as guid, (1000 * extract(epoch from (
      select min(c.at) from held_changes c where c.tournament_guid = h.tournament_guid)
      + make_interval(secs => greatest(t.stream_delay_seconds, t.channel_delay_seconds)) - clock_timestamp()))::float8 as ms
    from spoiler_horizons h join tournaments t on t.guid = h.tournament_guid`)
  const waiting = rows.filter(({ ms }) => ms !== null)
  const next = Math.min(...waiting.map(({ ms }) => ms).filter((ms) => ms > 0))
  return {
    guids: waiting.filter(({ ms }) => ms <= 0).map(({ guid }) => guid),
    nextMs: Number.isFinite(next) ? Math.ceil(next) : null,
  }
}

/** What moving a horizon has shown. */
export interface Moved {
  readonly horizon: Date
  /** The number of changed rows that are shown now. */
  readonly changes: number
  /** The tags of answers that show them. */
  readonly touches: readonly string[]
}

/**
 * Moves the horizon; never back.
 * @param until an instant, `due` for as late as the delay says, or `now` for all that is committed
 * @returns null for a tournament that is not held
 */
export async function moveHorizon(tx: Tx, tournament: string, until: Date | 'due' | 'now'): Promise<Moved | null> {
  const wanted =
    until === 'due'
      ? sql`clock_timestamp() - make_interval(secs => h.seconds)`
      : sql`${until === 'now' ? 'infinity' : until.toISOString()}::timestamptz`
  const { rows } = await tx.session.orm.execute<{ reached: string; changes: number; touches: readonly string[] }>(sql`
    select a.reached, a.changes, a.touches from horizon_of(${tournament}::uuid) h
    cross join lateral advance_horizon(${tournament}::uuid, ${wanted}) a`)
  const [row] = rows
  return row === undefined || row.reached === null
    ? null
    : { horizon: new Date(row.reached), changes: row.changes, touches: row.touches }
}
