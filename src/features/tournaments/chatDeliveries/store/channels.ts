import { and, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { chatChannels as channels } from '../tables.ts'

/** Until when sending is paused in any of these scopes; null if it is not paused. */
export async function findPause(db: Db, scopes: readonly string[], now: Date): Promise<Date | null> {
  const rows = await db.session.orm
    .select({ until: channels.pausedUntil })
    .from(channels)
    .where(and(inArray(channels.scope, [...scopes]), gt(channels.pausedUntil, now)))
  const untils = rows.flatMap(({ until }) => until ?? [])
  return untils.reduce<Date | null>((latest, until) => (latest === null || until > latest ? until : latest), null)
}

/** Pauses the scope; of two pauses of one scope, the later end counts. */
export async function pauseChannel(tx: Tx, scope: string, until: Date): Promise<void> {
  await tx.session.orm
    .insert(channels)
    .values({ scope, pausedUntil: until })
    .onConflictDoUpdate({
      target: channels.scope,
      set: { pausedUntil: sql`greatest(${channels.pausedUntil}, excluded.paused_until)` },
    })
}

/** Reserves the scope for a run until then. Returns false if another run holds it. */
export async function takeChannel(tx: Tx, scope: string, run: string, until: Date, now: Date): Promise<boolean> {
  const held = await tx.session.orm
    .insert(channels)
    .values({ scope, heldBy: run, heldUntil: until })
    .onConflictDoUpdate({
      target: channels.scope,
      set: { heldBy: run, heldUntil: until },
      setWhere: sql`${channels.heldBy} is null or ${channels.heldBy} = ${run} or ${channels.heldUntil} <= ${now.toISOString()}::timestamptz`,
    })
    .returning({ scope: channels.scope })
  return held.length > 0
}

/** Releases all scopes that the run holds. */
export async function releaseChannels(tx: Tx, run: string): Promise<void> {
  await tx.session.orm.update(channels).set({ heldBy: null, heldUntil: null }).where(eq(channels.heldBy, run))
}

/** Deletes channels that have been neither paused nor held since then. */
export async function deleteChannels(tx: Tx, before: Date): Promise<void> {
  const isOver = (column: typeof channels.pausedUntil | typeof channels.heldUntil) =>
    or(isNull(column), lt(column, before))
  await tx.session.orm.delete(channels).where(and(isOver(channels.pausedUntil), isOver(channels.heldUntil)))
}
