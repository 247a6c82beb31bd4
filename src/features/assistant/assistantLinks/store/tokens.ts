import { and, eq, lt, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { assistantTokenDays as days } from '../tables.ts'

/** Counts a token that a user gets on a day. Returns false, and counts nothing, if the user has reached the limit. */
export async function countToken(tx: Tx, userGuid: string, day: string, most: number): Promise<boolean> {
  const { orm } = tx.session
  await orm.delete(days).where(and(eq(days.userGuid, userGuid), lt(days.day, day)))
  const rows = await orm
    .insert(days)
    .values({ userGuid, day, issued: 1 })
    .onConflictDoUpdate({
      target: [days.userGuid, days.day],
      set: { issued: sql`${days.issued} + 1` },
      setWhere: lt(days.issued, most),
    })
    .returning({ issued: days.issued })
  return rows.length > 0
}
