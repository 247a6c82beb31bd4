import { and, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { announcements } from '../../announcements/tables.ts'
import { chatDeliveries as deliveries } from '../../chatDeliveries/tables.ts'
import { updates } from '../../updates/tables.ts'
import type { FailedAnnouncement, FailedDelivery } from '../types.ts'

/** Only the newest updates and announcements are looked at: a tournament can have many thousands. */
const newest = 500

const failed = statement('health.failed_deliveries', (orm) => {
  const recent = orm
    .select({ guid: updates.guid, title: updates.title, createdAt: updates.createdAt, deletedAt: updates.deletedAt })
    .from(updates)
    .where(eq(updates.tournamentGuid, sql.placeholder('tournamentGuid')))
    .orderBy(desc(updates.createdAt), desc(updates.guid))
    .limit(newest)
    .as('recent')
  return orm
    .select({
      updateGuid: recent.guid,
      title: recent.title,
      status: sql<FailedDelivery['status']>`${deliveries.status}`,
      error: deliveries.lastError,
    })
    .from(recent)
    .innerJoin(deliveries, eq(deliveries.guid, recent.guid))
    .where(
      and(
        inArray(deliveries.status, ['failed', 'removal_failed']),
        or(isNull(recent.deletedAt), eq(deliveries.status, 'removal_failed')),
      ),
    )
    .orderBy(desc(recent.createdAt), desc(recent.guid))
    .limit(sql.placeholder('limit'))
})

/** Lists the updates whose delivery to the chat channel, or whose removal from there, failed; newest first. */
export async function listFailedDeliveries(db: Db, tournamentGuid: string, limit: number): Promise<FailedDelivery[]> {
  return failed(db, { tournamentGuid, limit })
}

const unannounced = statement('health.failed_announcements', (orm) => {
  const recent = orm
    .select()
    .from(announcements)
    .where(eq(announcements.tournamentGuid, sql.placeholder('tournamentGuid')))
    .orderBy(desc(announcements.createdAt), desc(announcements.guid))
    .limit(newest)
    .as('recent')
  const last = orm
    .selectDistinctOn([recent.channel], {
      channel: recent.channel,
      status: deliveries.status,
      error: deliveries.lastError,
    })
    .from(recent)
    .innerJoin(deliveries, eq(deliveries.guid, recent.guid))
    .where(inArray(deliveries.status, ['delivered', 'failed']))
    .orderBy(recent.channel, desc(recent.createdAt), desc(recent.guid))
    .as('last')
  return orm
    .select({ channel: last.channel, error: last.error })
    .from(last)
    .where(eq(last.status, 'failed'))
    .orderBy(last.channel)
})

/** Lists the chat channels whose last announcement did not arrive. */
export async function listFailedAnnouncements(db: Db, tournamentGuid: string): Promise<FailedAnnouncement[]> {
  return unannounced(db, { tournamentGuid })
}
