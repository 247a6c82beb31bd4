import { and, desc, eq, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../infra/db/database.ts'
import { announcements } from '../announcements/tables.ts'
import { listDeliveries } from '../chatDeliveries/store/deliveries.ts'
import { chatDeliveries } from '../chatDeliveries/tables.ts'
import type { Delivery, DeliveryStatus } from '../chatDeliveries/types.ts'
import type { AnnouncementKind } from '../tournaments/types.ts'
import { updates } from '../updates/tables.ts'

/** A delivery, and what it delivers: an update, or else an announcement. */
export interface Listed {
  readonly delivery: Delivery
  /** Its place in the list. */
  readonly place: number
  /** null for announcements; of an update that was deleted, nothing but its messages is left. */
  readonly title: string | null
  /** null for updates. */
  readonly kind: AnnouncementKind | null
  readonly createdAt: Date | null
}

const page = statement('deliveries.page', (orm) =>
  orm
    .select({
      guid: chatDeliveries.guid,
      place: chatDeliveries.place,
      title: updates.title,
      kind: announcements.kind,
      createdAt: sql<Date | null>`coalesce(${updates.createdAt}, ${announcements.createdAt})`.mapWith(
        updates.createdAt,
      ),
    })
    .from(chatDeliveries)
    .leftJoin(updates, eq(updates.guid, chatDeliveries.guid))
    .leftJoin(announcements, eq(announcements.guid, chatDeliveries.guid))
    .where(
      and(
        eq(chatDeliveries.tournamentGuid, sql.placeholder('tournamentGuid')),
        sql`${chatDeliveries.place} < ${sql.placeholder('before')}::bigint`,
        sql`${chatDeliveries.status} = any(${sql.placeholder('statuses')}::text[])`,
      ),
    )
    .orderBy(desc(chatDeliveries.place))
    .limit(sql.placeholder('limit')),
)

/** Lists the newest deliveries first, with one beyond `limit`. */
export async function listDeliveriesOf(
  db: Db,
  tournamentGuid: string,
  part: { readonly statuses: readonly DeliveryStatus[]; readonly before: number; readonly limit: number },
): Promise<Listed[]> {
  const rows = await page(db, { tournamentGuid, ...part, limit: part.limit + 1 })
  const deliveries = await listDeliveries(
    db,
    rows.map(({ guid }) => guid),
  )
  return rows.flatMap(({ guid, ...row }) => {
    const delivery = deliveries.get(guid)
    return delivery === undefined ? [] : [{ ...row, delivery }]
  })
}
