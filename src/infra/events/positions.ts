import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/database.ts'
import { asLogged, type LoggedEvent } from './logged.ts'
import { eventLog, followers, setAsideEvents } from './tables.ts'

/** How far each follower has come, and the events that it has set aside because it could not handle them. */

interface Start {
  readonly name: string
  readonly from: 'first' | 'now'
}

/** Locks and reads the position; null while another process holds it. */
export async function takePosition(tx: Tx, { name, from }: Start): Promise<number | null> {
  const { orm } = tx.session
  const held = await orm.select().from(followers).where(eq(followers.name, name)).for('update', { skipLocked: true })
  if (held[0] !== undefined) return held[0].position
  const start = from === 'first' ? 0 : await newestSeq(tx)
  const made = await orm.insert(followers).values({ name, position: start }).onConflictDoNothing().returning()
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

export async function movePosition(tx: Tx, name: string, seq: number): Promise<void> {
  await tx.session.orm.update(followers).set({ position: seq }).where(eq(followers.name, name))
}

export async function listEventsAfter(db: Db, position: number, limit: number): Promise<readonly LoggedEvent[]> {
  const rows = await db.session.orm
    .select()
    .from(eventLog)
    .where(gt(eventLog.seq, position))
    .orderBy(asc(eventLog.seq))
    .limit(limit)
  return rows.map(asLogged)
}

/** The event that the follower has to handle next, whoever holds its position. */
export async function findNextEvent(db: Db, name: string): Promise<LoggedEvent | undefined> {
  const [held] = await db.session.orm.select().from(followers).where(eq(followers.name, name))
  return held && (await listEventsAfter(db, held.position, 1))[0]
}

/** @param error its kind alone: what it says may hold what users sent */
export async function insertSetAside(tx: Tx, name: string, seq: number, error: string): Promise<void> {
  await tx.session.orm.insert(setAsideEvents).values({ follower: name, seq, error }).onConflictDoNothing()
}

/** The oldest first. */
export async function listSetAsideSeqs(db: Db, name: string, limit: number): Promise<readonly number[]> {
  const rows = await db.session.orm
    .select({ seq: setAsideEvents.seq })
    .from(setAsideEvents)
    .where(eq(setAsideEvents.follower, name))
    .orderBy(asc(setAsideEvents.seq))
    .limit(limit)
  return rows.map(({ seq }) => seq)
}

/** Takes the event back from those that are set aside; undefined where another process has. */
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
  /** Events that it has not handled yet, counted up to `mostCounted`. */
  readonly behind: number
  /** Since when the oldest of them waits; 0 for none. */
  readonly behindSeconds: number
  readonly setAside: number
  /** The last that it set aside. */
  readonly lastSetAside: { readonly seq: number; readonly type: string; readonly error: string } | null
}

const mostCounted = 100_000

/** Of all that ever followed, by their names. */
export async function listFollowerStates(db: Db): Promise<readonly FollowerState[]> {
  const { rows } = await db.session.orm.execute<FollowerState & Record<string, unknown>>(sql`
    select f.name,
      (select count(*)::int from (select from ${eventLog} where seq > f.position limit ${mostCounted}) e) as behind,
      coalesce((select extract(epoch from greatest(clock_timestamp() - e.at, interval '0'))::float
        from ${eventLog} e where e.seq > f.position order by e.seq limit 1), 0) as "behindSeconds",
      (select count(*)::int from ${setAsideEvents} s where s.follower = f.name) as "setAside",
      (select json_build_object('seq', s.seq, 'type', e.type, 'error', s.error)
        from ${setAsideEvents} s join ${eventLog} e on e.seq = s.seq
        where s.follower = f.name order by s.seq desc limit 1) as "lastSetAside"
    from ${followers} f order by f.name`)
  return rows
}
