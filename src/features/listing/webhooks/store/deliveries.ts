import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { webhookAttempts as attempts, webhookDeliveries as deliveries } from '../tables.ts'
import type { Attempt, Delivery, DeliveryStatus, RecordedDelivery } from '../types.ts'

/** Queries for administrators and operators. */

const columns = {
  guid: deliveries.guid,
  platformGuid: deliveries.platformGuid,
  channel: deliveries.channel,
  event: deliveries.event,
  eventSeq: deliveries.eventSeq,
  status: deliveries.status,
  attempts: deliveries.attempts,
  createdAt: deliveries.createdAt,
  queuedAt: deliveries.queuedAt,
  nextAttemptAt: deliveries.nextAttemptAt,
  finishedAt: deliveries.finishedAt,
}

/** Read in the same statement as the delivery, so that both have the same state. */
const record = sql<Attempt[]>`(
  select coalesce(json_agg(json_build_object(
    'at', a.at, 'status', a.status, 'durationMs', a.duration_ms, 'error', a.error) order by a.number), '[]')
  from ${attempts} a where a.delivery_guid = ${deliveries}.guid)`.mapWith(
  (made: (Omit<Attempt, 'at'> & { at: string })[]) => made.map(({ at, ...rest }) => ({ at: new Date(at), ...rest })),
)

export async function findDelivery(db: Db, platformGuid: string, guid: string): Promise<RecordedDelivery | undefined> {
  const [row] = await db.session.orm
    .select({ ...columns, record })
    .from(deliveries)
    .where(and(eq(deliveries.guid, guid), eq(deliveries.platformGuid, platformGuid)))
  return row
}

/** A delivery with the JSON that is sent. */
export async function findSent(
  db: Db,
  platformGuid: string,
  guid: string,
): Promise<(RecordedDelivery & { readonly body: string }) | undefined> {
  const [row] = await db.session.orm
    .select({ ...columns, record, body: deliveries.body })
    .from(deliveries)
    .where(and(eq(deliveries.guid, guid), eq(deliveries.platformGuid, platformGuid)))
  return row
}

/** Finished deliveries of events since a time, oldest first. */
export async function listFinished(
  tx: Tx,
  platformGuid: string,
  since: Date,
  limit: number,
): Promise<Pick<Delivery, 'guid' | 'createdAt'>[]> {
  return tx.session.orm
    .select({ guid: deliveries.guid, createdAt: deliveries.createdAt })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.platformGuid, platformGuid),
        sql`${deliveries.createdAt} >= ${since.toISOString()}::timestamptz`,
        sql`${deliveries.finishedAt} is not null`,
      ),
    )
    .orderBy(asc(deliveries.createdAt), asc(deliveries.guid))
    .limit(limit)
}

/** The position after which a page begins: the sequence number of the event and the GUID of the delivery. */
export type DeliveryPosition = readonly [eventSeq: number, guid: string]

const start: DeliveryPosition = [Number.MAX_SAFE_INTEGER, 'ffffffff-ffff-ffff-ffff-ffffffffffff']

/**
 * One page of a platform's deliveries, newest events first, with one row more than `limit`. Reads a page of each status
 * from its index and merges them.
 */
export async function listDeliveries(
  db: Db,
  platformGuid: string,
  page: {
    readonly statuses: readonly DeliveryStatus[]
    readonly limit: number
    readonly after?: DeliveryPosition | undefined
  },
): Promise<RecordedDelivery[]> {
  const { statuses, limit, after: [eventSeq, guid] = start } = page
  const newestFirst = sql`order by event_seq desc, guid desc limit ${limit + 1}`
  return db.session.orm
    .select({ ...columns, record })
    .from(sql`(
      select found.guid from unnest(${sql.param(statuses)}::text[]) as wanted(status) cross join lateral (
        select event_seq, guid from ${deliveries} d
        where d.platform_guid = ${platformGuid} and d.status = wanted.status
          and (d.event_seq, d.guid) < (${eventSeq}::bigint, ${guid}::uuid) ${newestFirst}
      ) found ${newestFirst}) page`)
    .innerJoin(deliveries, sql`${deliveries.guid} = page.guid`)
    .orderBy(desc(deliveries.eventSeq), desc(deliveries.guid))
}

export async function countWaiting(db: Db): Promise<number> {
  return db.session.orm.$count(deliveries, isNull(deliveries.finishedAt))
}

/** The age in seconds of the delivery that has waited longest; 0 if none waits. */
export async function secondsWaited(db: Db): Promise<number> {
  const [row] = await db.session.orm
    .select({
      seconds: sql<number>`coalesce(extract(epoch from now() - min(${deliveries.queuedAt})), 0)::float8`,
    })
    .from(deliveries)
    .where(isNull(deliveries.finishedAt))
  return row?.seconds ?? 0
}
