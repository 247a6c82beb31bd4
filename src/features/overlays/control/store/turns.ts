import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { overlayControls } from '../tables.ts'

/** When the last writes of an overlay were let in, and what time it is; locks them. Undefined for an overlay that is gone. */
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
  // Asked once the lock is held: whoever had it before has a turn that is not later.
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
