import { and, asc, eq, getTableColumns, gt, lt, sql } from 'drizzle-orm'
import type { EventType } from '../../core/events.ts'
import { type Db, statement, type Tx } from '../db/database.ts'
import { asLogged, type LoggedEvent } from './logged.ts'
import { eventLog, followers, setAsideEvents } from './tables.ts'

/** The position of each follower, and the events that it has set aside because it could not handle them. */

interface Start {
  readonly name: string
  readonly from: 'first' | 'now'
}

const taking = statement('events.take_position', (orm) =>
  orm
    .select({ position: followers.position })
    .from(followers)
    .where(eq(followers.name, sql.placeholder('name')))
    .for('update', { skipLocked: true }),
)

/** Locks and reads the position; null while another process holds it. */
export async function takePosition(tx: Tx, { name, from }: Start): Promise<number | null> {
  const held = await taking(tx, { name })
  if (held[0] !== undefined) return held[0].position
  const start = from === 'first' ? 0 : await newestSeq(tx)
  const made = await tx.session.orm
    .insert(followers)
    .values({ name, position: start })
    .onConflictDoNothing()
    .returning()
  return made[0]?.position ?? null
}

async function newestSeq(tx: Tx): Promise<number> {
  const [newest] = await tx.session.orm
    .select({ seq: eventLog.seq })
    .from(eventLog)
    .orderBy(sql`${eventLog.seq} desc`)
    .limit(1)
  return newest?.seq ?? 0
}

const looking = statement('events.look', (orm) =>
  orm
    .select({
      position: followers.position,
      newest: sql<number>`(select coalesce(max(seq), 0) from event_log)`.mapWith(Number),
      isNextThere: sql<boolean>`exists (select from event_log
        where seq > greatest(${followers.position}, ${sql.placeholder('seen')}::bigint)
          and type = any(${sql.placeholder('types')}::text[]))`,
    })
    .from(followers)
    .where(eq(followers.name, sql.placeholder('name'))),
)

/** A follower, and the types that it handles. */
export interface Following {
  readonly name: string
  readonly types: readonly EventType[]
}

/**
 * The state of a follower, read without locking or writing; undefined for a follower without a position.
 * @param seen up to this event, nothing waits for the follower
 */
export async function look(
  db: Db,
  { name, types }: Following,
  seen: number,
): Promise<{ readonly position: number; readonly newest: number; readonly isNextThere: boolean } | undefined> {
  return (await looking(db, { name, types, seen }))[0]
}

const moving = statement('events.move_position', (orm) =>
  orm
    .update(followers)
    .set({ position: sql`${sql.placeholder('seq')}` })
    .where(
      and(eq(followers.name, sql.placeholder('name')), lt(followers.position, sql`${sql.placeholder('seq')}::bigint`)),
    ),
)

/** Moves the position, but never back: another process may be ahead. */
export async function movePosition(tx: Tx, name: string, seq: number): Promise<void> {
  await moving(tx, { name, seq })
}

const skipping = statement('events.skip_others', (orm) =>
  orm
    .update(followers)
    .set({ position: sql`(select max(seq) from event_log)` })
    .where(
      and(
        eq(followers.name, sql.placeholder('name')),
        sql`exists (select from event_log where seq > ${followers.position})`,
        sql`not exists (select from event_log
          where seq > ${followers.position} and type = any(${sql.placeholder('types')}::text[]))`,
      ),
    ),
)

/** Moves the position to the newest event, unless an event waits for the follower; that is checked again here. */
export async function skipOthers(tx: Tx, { name, types }: Following): Promise<void> {
  await skipping(tx, { name, types })
}

/**
 * The events that wait for the follower, whichever process holds its position; none for a follower without a position.
 */
export async function listNextEvents(
  db: Db,
  { name, types }: Following,
  limit: number,
): Promise<readonly LoggedEvent[]> {
  const rows = await nextEvents(db, { name, types, limit })
  return rows.map(asLogged)
}

const nextEvents = statement('events.next', (orm) =>
  orm
    .select(getTableColumns(eventLog))
    .from(eventLog)
    .where(
      and(
        gt(eventLog.seq, sql`(select position from followers where name = ${sql.placeholder('name')})`),
        sql`${eventLog.type} = any(${sql.placeholder('types')}::text[])`,
      ),
    )
    .orderBy(asc(eventLog.seq))
    .limit(sql.placeholder('limit')),
)

/** @param error only the kind of the error: its message may contain users' data */
export async function insertSetAside(tx: Tx, name: string, seq: number, error: string): Promise<void> {
  await tx.session.orm.insert(setAsideEvents).values({ follower: name, seq, error }).onConflictDoNothing()
}

/** Oldest first. */
export async function listSetAsideSeqs(db: Db, name: string, limit: number): Promise<readonly number[]> {
  const rows = await db.session.orm
    .select({ seq: setAsideEvents.seq })
    .from(setAsideEvents)
    .where(eq(setAsideEvents.follower, name))
    .orderBy(asc(setAsideEvents.seq))
    .limit(limit)
  return rows.map(({ seq }) => seq)
}

/** Removes an event from those set aside and returns it; undefined where another process has already done so. */
export async function takeSetAside(tx: Tx, name: string, seq: number): Promise<LoggedEvent | undefined> {
  const { orm } = tx.session
  const [taken] = await orm
    .delete(setAsideEvents)
    .where(and(eq(setAsideEvents.follower, name), eq(setAsideEvents.seq, seq)))
    .returning()
  if (taken === undefined) return undefined
  const [event] = await orm.select().from(eventLog).where(eq(eventLog.seq, seq))
  return event && asLogged(event)
}

export interface FollowerState {
  readonly name: string
  /** Number of unhandled events, counted up to `maxCounted`. */
  readonly behind: number
  /** Age of the oldest unhandled event in seconds; 0 for none. */
  readonly behindSeconds: number
  readonly setAside: number
  /** The event that was set aside last. */
  readonly lastSetAside: { readonly seq: number; readonly type: string; readonly error: string } | null
}

const maxCounted = 100_000

/** The states of the followers that have a position, by name. */
export async function listFollowerStates(db: Db, following: readonly Following[]): Promise<readonly FollowerState[]> {
  const known = JSON.stringify(following.map(({ name, types }) => ({ name, types })))
  const { rows } = await db.session.orm.execute<FollowerState & Record<string, unknown>>(sql`
    select f.name,
      (select count(*)::int from
        (select from ${eventLog} where seq > f.position and type = any(k.types) limit ${maxCounted}) e) as behind,
      coalesce((select extract(epoch from greatest(clock_timestamp() - e.at, interval '0'))::float
        from ${eventLog} e where e.seq > f.position and e.type = any(k.types) order by e.seq limit 1), 0)
        as "behindSeconds",
      (select count(*)::int from ${setAsideEvents} s where s.follower = f.name) as "setAside",
      (select json_build_object('seq', s.seq, 'type', e.type, 'error', s.error)
        from ${setAsideEvents} s join ${eventLog} e on e.seq = s.seq
        where s.follower = f.name order by s.seq desc limit 1) as "lastSetAside"
    from ${followers} f
    join jsonb_to_recordset(${known}::jsonb) as k (name text, types text[]) on k.name = f.name
    order by f.name`)
  return rows
}

/** Whether something that happened in a tournament waits for one of these followers. */
export async function areEventsWaiting(db: Db, following: readonly Following[], tournament: string): Promise<boolean> {
  const known = JSON.stringify(following.map(({ name, types }) => ({ name, types })))
  const { rows } = await db.session.orm.execute<{ waits: boolean }>(sql`
    select exists (
      select from json_to_recordset(${known}::json) as k (name text, types text[])
      join ${followers} f on f.name = k.name
      where exists (select from ${eventLog} e
        where e.tournament = ${tournament}::uuid and e.seq > f.position and e.type = any(k.types))) as waits`)
  return rows[0]?.waits === true
}
