import { type SQL, sql } from 'drizzle-orm'
import { globalRoles, withImpliedRoles } from '../../core/roles.ts'
import { type Database, type Db, statement, type Tx, type ViewLane } from '../db/database.ts'
import type { Delay } from '../delay/store.ts'
import { setAsideEvents } from '../events/tables.ts'
import type { Lane } from './held.ts'

/**
 * GUIDs of the held tournaments, each with the GUIDs of its organiser and of everybody with a role in it; of a rehearsal also
 * those of the real tournament, who are its staff. (V1, R1)
 */
export async function listHeld(db: Db): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { rows } = await db.session.orm.execute<{ tournament: string; insiders: readonly string[] }>(sql`
    select t.guid as tournament, array(
      select o.organiser_guid from tournaments o where o.guid in (t.guid, t.rehearsal_of)
      union select r.user_guid from tournament_role_holders r where r.tournament_guid in (t.guid, t.rehearsal_of)
    )::text[] as insiders
    from spoiler_horizons h join tournaments t on t.guid = h.tournament_guid`)
  return new Map(rows.map(({ tournament, insiders }) => [tournament, new Set(insiders)]))
}

const managers = globalRoles.filter((role) => withImpliedRoles([role]).has('global:tournaments:manage'))

/**
 * Whether a user sees a held tournament late, for use in statements. Members of a match's teams see it as it is, which
 * this does not consider. (V1)
 */
export function isOutside(user: SQL, tournament: SQL): SQL {
  return sql`not exists (
    select from tournaments t where t.guid = ${tournament} and t.organiser_guid = ${user}
    union all select from tournament_role_holders r where r.tournament_guid = ${tournament} and r.user_guid = ${user}
    union all select from users u where u.guid = ${user} and u.global_roles && ${`{${managers.join()}}`}::text[])`
}

/** GUIDs of the tournaments that are held from a user, for answers that are made for a user without a token. */
export async function listHeldFrom(db: Db, user: string): Promise<ReadonlySet<string>> {
  const { rows } = await db.session.orm.execute<{ guid: string }>(sql`
    select h.tournament_guid as guid from spoiler_horizons h
    where ${isOutside(sql`${user}::uuid`, sql`h.tournament_guid`)}`)
  return new Set(rows.map(({ guid }) => guid))
}

/**
 * Whether outsiders do not know of an event yet. The events of a change are those of its transaction, and no two
 * transactions share one, so only the next change can have it.
 */
const isHeldEvent = (seq: SQL) => sql`coalesce((
  select c.event_from <= ${seq} from held_changes c where c.event_to >= ${seq} order by c.event_to limit 1), false)`

/** Those of some events, by their numbers in the log, that outsiders do not know of yet. */
export async function listHeldEvents(db: Db, seqs: readonly number[]): Promise<ReadonlySet<number>> {
  if (seqs.length === 0) return new Set()
  const { rows } = await db.session.orm.execute<{ seq: number }>(sql`
    select e.seq::float8 as seq from unnest(${`{${seqs.join()}}`}::bigint[]) e (seq) where ${isHeldEvent(sql`e.seq`)}`)
  return new Set(rows.map(({ seq }) => seq))
}

/** The events that were set aside under a name and that outsiders know of now, by their numbers, oldest first. */
export async function listShownAside(db: Db, name: string, limit: number): Promise<readonly number[]> {
  const { rows } = await db.session.orm.execute<{ seq: number }>(sql`
    select ${setAsideEvents.seq}::float8 as seq from ${setAsideEvents}
    where ${setAsideEvents.follower} = ${name} and not ${isHeldEvent(sql`${setAsideEvents.seq}`)}
    order by ${setAsideEvents.seq} limit ${limit}`)
  return rows.map(({ seq }) => seq)
}

const enter = statement('held.enter', (orm) =>
  orm
    .select({ inside: sql`set_config('downbeat.inside', ${sql.placeholder('inside')}, true)` })
    .from(sql`(values (1)) as once`),
)

/** Has a transaction that reads through the views show the tournaments of a lane as they are now. */
export async function enterLane(db: Db, { inside }: Lane): Promise<void> {
  await enter(db, { inside: `{${inside.join()}}` })
}

const enterViews = statement('held.enter_views', (orm) =>
  orm
    .select({
      inside: sql`set_config('downbeat.inside', ${sql.placeholder('inside')}, true)`,
      path: sql`set_config('search_path', 'held,public', true)`,
    })
    .from(sql`(values (1)) as once`),
)

/**
 * Reads within a transaction what is shown to the readers of a lane once it is committed; its later statements use the
 * tables again. `work` changes nothing.
 */
export async function readShownWithin<T>(tx: Tx, { inside }: Lane, work: (db: Db) => Promise<T>): Promise<T> {
  await enterViews(tx, { inside: `{${inside.join()}}` })
  try {
    return await work(tx)
  } finally {
    // In a transaction that has failed nothing follows.
    await tx.session.client.query('set local search_path to default').catch(() => {})
  }
}

const seconds = sql<number | null>`max(greatest(t.stream_delay_seconds, t.channel_delay_seconds))`
const hidden = sql`held.hidden h join public.tournaments t on t.guid = h.tournament_guid`

const delayOf = statement('held.delay', (orm) =>
  orm
    .select({ seconds })
    .from(hidden)
    .where(sql`t.guid = ${sql.placeholder('tournament')}::uuid`),
)

const longestDelay = statement('held.longest_delay', (orm) => orm.select({ seconds }).from(hidden))

/**
 * Runs `work` on a snapshot in which tables show held tournaments as they are at their horizons. The horizon of each is
 * the same for all statements.
 */
export async function readHeldRows<T>(
  database: Database,
  lane: ViewLane,
  reader: Lane,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  return database.snapshotThrough('held', lane, async (db) => {
    const entered = enterLane(db, reader)
    const [result] = await Promise.all([work(db), entered])
    return result
  })
}

/**
 * How late, in seconds, an answer is: that of its tournament or, for an answer about all tournaments, the longest delay
 * of those that are held from the reader. null where nothing of it is held.
 */
export async function findSeconds(db: Db, tournament: string | null): Promise<number | null> {
  const rows = await (tournament === null ? longestDelay(db) : delayOf(db, { tournament }))
  return rows[0]?.seconds ?? null
}

/**
 * Whether a connection shows a tournament as it is at its horizon. Values that are in no table, such as live scores, are
 * not for its reader.
 */
export async function showsHorizonOf(db: Db, tournament: string): Promise<boolean> {
  const { rows } = await db.session.orm.execute(sql`
    select from held.hidden h where h.tournament_guid = ${tournament}::uuid
    and current_setting('search_path') like 'held,%'`)
  return rows.length > 0
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
    sql`select seconds, horizon, waiting from horizon_of(${tournament}::uuid) where seconds is not null`,
  )
  const [row] = rows
  return row === undefined ? null : { ...row, horizon: new Date(row.horizon) }
}

/** How late values that are in no table are; null for a tournament that is not held. */
export async function findHeldDelay(db: Db, tournament: string): Promise<Delay | null> {
  const { rows } = await db.session.orm.execute<{ seconds: number; horizon: string }>(sql`
    select greatest(t.stream_delay_seconds, t.channel_delay_seconds) as seconds, h.horizon
    from spoiler_horizons h join public.tournaments t on t.guid = h.tournament_guid
    where h.tournament_guid = ${tournament}::uuid`)
  const [row] = rows
  return row === undefined ? null : { seconds: row.seconds, notBefore: new Date(row.horizon) }
}

/** Held tournaments in which something is due to be shown. */
export async function listDueHorizons(
  db: Db,
): Promise<{ readonly guids: readonly string[]; readonly nextMs: number | null }> {
  const { rows } = await db.session.orm.execute<{ guid: string; ms: number }>(sql`
    select h.tournament_guid as guid, (1000 * extract(epoch from (
      select min(c.at) from held_changes c where c.tournament_guid = h.tournament_guid)
      + make_interval(secs => greatest(t.stream_delay_seconds, t.channel_delay_seconds)) - local_clock()))::float8 as ms
    from spoiler_horizons h join tournaments t on t.guid = h.tournament_guid
    where runs_here(h.tournament_guid)`)
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
      ? sql`clock_of(${tournament}::uuid) - make_interval(secs => h.seconds)`
      : sql`${until === 'now' ? 'infinity' : until.toISOString()}::timestamptz`
  const { rows } = await tx.session.orm.execute<{ reached: string; changes: number; touches: readonly string[] }>(sql`
    select a.reached, a.changes, a.touches from horizon_of(${tournament}::uuid) h
    cross join lateral advance_horizon(${tournament}::uuid, ${wanted}) a`)
  const [row] = rows
  return row === undefined || row.reached === null
    ? null
    : { horizon: new Date(row.reached), changes: row.changes, touches: row.touches }
}
