import { and, asc, eq, getTableColumns, notInArray, sql } from 'drizzle-orm'
import { type Db, type Orm, statement, type Tx } from '../../../../infra/db/database.ts'
import { tournaments } from '../../tournaments/tables.ts'
import { webhookOf } from '../rules/webhooks.ts'
import { chatDeliveries as deliveries, isUnderWay, chatParts as parts } from '../tables.ts'
import type { Delivery, Part } from '../types.ts'

const { deliveryGuid: _delivery, ...partColumns } = getTableColumns(parts)
const { place: _place, ...deliveryColumns } = getTableColumns(deliveries)

const partsOf = statement('chatDeliveries.parts', (orm) =>
  orm
    .select({ deliveryGuid: parts.deliveryGuid, part: partColumns })
    .from(parts)
    .where(sql`${parts.deliveryGuid} = any(${sql.placeholder('guids')}::uuid[])`)
    .orderBy(asc(parts.deliveryGuid), asc(parts.index)),
)

const deliveriesOf = statement('chatDeliveries.deliveries', (orm) =>
  orm
    .select(deliveryColumns)
    .from(deliveries)
    .where(sql`${deliveries.guid} = any(${sql.placeholder('guids')}::uuid[])`),
)

/** Returns the deliveries by GUID. */
export async function listDeliveries(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, Delivery>> {
  if (guids.length === 0) return new Map()
  const [rows, owned] = await Promise.all([deliveriesOf(db, { guids }), partsOf(db, { guids })])
  const byDelivery = Map.groupBy(owned, ({ deliveryGuid }) => deliveryGuid)
  return new Map(
    rows.map((row) => [row.guid, { ...row, parts: (byDelivery.get(row.guid) ?? []).map(({ part }) => part) }]),
  )
}

export async function hasDelivery(db: Db, guid: string): Promise<boolean> {
  return (await listDeliveries(db, [guid])).has(guid)
}

function selectLocked(orm: Orm, guid: string) {
  return orm
    .select({
      ...deliveryColumns,
      chatWebhookUrl: tournaments.chatWebhookUrl,
      chatWebhooks: tournaments.chatWebhooks,
    })
    .from(deliveries)
    .innerJoin(tournaments, eq(tournaments.guid, deliveries.tournamentGuid))
    .where(eq(deliveries.guid, guid))
    .for('update', { of: deliveries })
}

export interface LockedDelivery {
  readonly delivery: Delivery
  /** The current webhook of its channel; null if the tournament has none any more. A secret. */
  readonly webhookUrl: string | null
}

/** Locks the delivery for the rest of the transaction. */
export async function lockDelivery(tx: Tx, guid: string): Promise<LockedDelivery | undefined> {
  const { orm } = tx.session
  const [row] = await selectLocked(orm, guid)
  if (row === undefined) return undefined
  const { chatWebhookUrl, chatWebhooks, ...delivery } = row
  // Read after the lock, as parts change only under it.
  const owned = await partsOf(tx, { guids: [guid] })
  return {
    delivery: { ...delivery, parts: owned.map(({ part }) => part) },
    webhookUrl: webhookOf({ chatWebhookUrl, chatWebhooks }, delivery.channel),
  }
}

/**
 * Returns an earlier delivery of the same channel that still sends new messages, so that this one has to wait for it.
 * Waits for a transaction that ends it.
 */
export async function findEarlier(tx: Tx, { guid, tournamentGuid, channel }: Delivery): Promise<string | undefined> {
  const [row] = await tx.session.orm
    .select({ guid: deliveries.guid })
    .from(deliveries)
    .where(
      and(
        ofChannel(tournamentGuid, channel),
        sql`${deliveries.place} < (select place from ${deliveries} own where own.guid = ${guid})`,
        hasUnsent,
      ),
    )
    .orderBy(asc(deliveries.place))
    .limit(1)
    .for('share')
  return row?.guid
}

/** Returns the first delivery of the channel that still sends new messages. */
export async function findFirstWaiting(
  tx: Tx,
  { tournamentGuid, channel }: Pick<Delivery, 'tournamentGuid' | 'channel'>,
): Promise<string | undefined> {
  const [row] = await tx.session.orm
    .select({ guid: deliveries.guid })
    .from(deliveries)
    .where(and(ofChannel(tournamentGuid, channel), hasUnsent))
    .orderBy(asc(deliveries.place))
    .limit(1)
  return row?.guid
}

function ofChannel(tournamentGuid: string, channel: string) {
  return and(eq(deliveries.tournamentGuid, tournamentGuid), eq(deliveries.channel, channel), isUnderWay(deliveries))
}

const hasUnsent = sql`exists (
  select from ${parts} p where p.delivery_guid = ${deliveries.guid} and p.message_id is null and p.status <> 'removing')`

export async function insertDelivery(tx: Tx, { parts: made, ...delivery }: Delivery): Promise<void> {
  const { orm } = tx.session
  await orm.insert(deliveries).values(delivery)
  await orm.insert(parts).values(made.map((part) => ({ deliveryGuid: delivery.guid, ...part })))
}

/**
 * Saves the differences and deletes the parts that are gone; null deletes the delivery. Call it under `lockDelivery`.
 * @param before as `lockDelivery` returned it
 */
export async function saveDelivery(tx: Tx, before: Delivery, after: Delivery | null): Promise<void> {
  const { orm } = tx.session
  const { guid } = before
  if (after === null) {
    await orm.delete(deliveries).where(eq(deliveries.guid, guid))
    return
  }
  const { parts: kept, ...delivery } = after
  await orm.update(deliveries).set(delivery).where(eq(deliveries.guid, guid))
  const indexes = kept.map(({ index }) => index)
  if (before.parts.some(({ index }) => !indexes.includes(index))) {
    await orm.delete(parts).where(and(eq(parts.deliveryGuid, guid), notInArray(parts.index, indexes)))
  }
  const changed = kept.filter((part) => !before.parts.includes(part))
  if (changed.length > 0) await upsertParts(tx, guid, changed)
}

async function upsertParts(tx: Tx, guid: string, changed: readonly Part[]): Promise<void> {
  await tx.session.orm
    .insert(parts)
    .values(changed.map((part) => ({ deliveryGuid: guid, ...part })))
    .onConflictDoUpdate({
      target: [parts.deliveryGuid, parts.index],
      set: {
        status: sql`excluded.status`,
        message: sql`excluded.message`,
        messageId: sql`excluded.message_id`,
        webhookUrl: sql`excluded.webhook_url`,
        revision: sql`excluded.revision`,
        uncertainSince: sql`excluded.uncertain_since`,
      },
    })
}
