import { and, sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import type { Waiting } from '../../../../infra/health/types.ts'
import { chatDeliveries, isUnderWay } from '../tables.ts'

/** What is under way to the chat; a delivery counts from its last attempt on. Rehearsals send nothing there. (R3) */
export async function readWaiting(db: Db): Promise<Waiting> {
  const [row] = await db.session.orm
    .select({
      waiting: sql<number>`count(*)::int`,
      oldestSeconds: sql<number>`coalesce(extract(epoch from clock_timestamp() - min(${chatDeliveries.updatedAt})), 0)::float8`,
    })
    .from(chatDeliveries)
    .where(and(isUnderWay(chatDeliveries), sql`runs_here(${chatDeliveries.tournamentGuid})`))
  return row ?? { waiting: 0, oldestSeconds: 0 }
}
