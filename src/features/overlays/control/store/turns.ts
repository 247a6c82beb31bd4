import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { overlayControls } from '../tables.ts'

/**
 * Locks and returns the last turns of an overlay's writes, and the current time. Returns undefined if the overlay was
 * deleted.
 */
export async function lockTurns(
  tx: Tx,
  overlay: string,
): Promise<{ readonly turns: readonly number[]; readonly now: number } | undefined> {
  const { orm } = tx.session
  const isThere = sql`select guid from overlays where guid = ${overlay}::uuid`
  await orm.execute(sql`insert into ${overlayControls} (overlay_guid) ${isThere} on conflict do nothing`)
  const [row] = await orm
    .select({ turns: overlayControls.turns })
    .from(overlayControls)
    .where(eq(overlayControls.overlayGuid, overlay))
    .for('update')
  if (row === undefined) return undefined
  // Read after the lock is taken, so that it is not earlier than the time that the previous holder of the lock used.
  const { rows } = await orm.execute<{ now: string }>(
    sql`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`,
  )
  return { turns: row.turns, now: Number(rows[0]?.now) }
}

export async function writeTurns(tx: Tx, overlay: string, turns: readonly number[]): Promise<void> {
  await tx.session.orm
    .update(overlayControls)
    .set({ turns: [...turns] })
    .where(eq(overlayControls.overlayGuid, overlay))
}
