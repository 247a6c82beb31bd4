import { and, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { updateDeliveries as deliveries, updates } from '../../updates/tables.ts'
import type { FailedDelivery } from '../types.ts'

const failed = statement('health.failed_deliveries', (orm) =>
  orm
    .select({
      updateGuid: updates.guid,
      title: updates.title,
      status: sql<FailedDelivery['status']>`${deliveries.status}`,
      error: deliveries.lastError,
    })
    .from(updates)
    .innerJoin(deliveries, eq(deliveries.updateGuid, updates.guid))
    .where(
      and(
        eq(updates.tournamentGuid, sql.placeholder('tournamentGuid')),
        inArray(deliveries.status, ['failed', 'removal_failed']),
        or(isNull(updates.deletedAt), eq(deliveries.status, 'removal_failed')),
      ),
    )
    .orderBy(desc(updates.createdAt), desc(updates.guid))
    .limit(sql.placeholder('limit')),
)

/** Lists the updates whose delivery to the chat channel, or whose removal from there, failed; newest first. */
export async function listFailedDeliveries(db: Db, tournamentGuid: string, limit: number): Promise<FailedDelivery[]> {
  return failed(db, { tournamentGuid, limit })
}
