import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { assistantDeliveries as deliveries } from '../tables.ts'

/** How long a delivery is remembered, so that a repeated one counts once. (AS26; assistant: Details, 7) */
const rememberedFor = sql`interval '10 minutes'`

/** Remembers a delivery. Returns whether it was new. */
export async function noteDelivery(tx: Tx, tournamentGuid: string, id: string): Promise<boolean> {
  const rows = await tx.session.orm
    .insert(deliveries)
    .values({ tournamentGuid, id, at: sql`clock_timestamp()` })
    .onConflictDoUpdate({
      target: [deliveries.tournamentGuid, deliveries.id],
      set: { at: sql`excluded.at` },
      setWhere: sql`${deliveries.at} < clock_timestamp() - ${rememberedFor}`,
    })
    .returning({ id: deliveries.id })
  return rows.length > 0
}

/** Returns the ids that are remembered. */
export async function listDelivered(
  db: Db,
  tournamentGuid: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.session.orm
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.tournamentGuid, tournamentGuid), inArray(deliveries.id, [...ids])))
  return new Set(rows.map(({ id }) => id))
}

/** Returns the number of deleted rows. */
export async function deleteOldDeliveries(tx: Tx, limit: number): Promise<number> {
  const { rowCount } = await tx.session.orm.execute(sql`
    delete from ${deliveries} where ctid in (
      select ctid from ${deliveries} where ${deliveries.at} < clock_timestamp() - ${rememberedFor}
      order by ${deliveries.at} limit ${limit} for update skip locked)`)
  return rowCount ?? 0
}
