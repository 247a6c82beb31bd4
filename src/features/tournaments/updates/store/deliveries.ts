import { and, asc, eq, getTableColumns, notInArray, sql } from 'drizzle-orm'
import { type Db, type Orm, statement, type Tx } from '../../../../infra/db/database.ts'
import { tournaments } from '../../tournaments/tables.ts'
import { updateDeliveries as deliveries, updateParts as parts, updates } from '../tables.ts'
import type { Delivery, Part } from '../types.ts'

const { updateGuid: _update, ...partColumns } = getTableColumns(parts)
const deliveryColumns = getTableColumns(deliveries)

const partsOf = statement('updates.parts', (orm) =>
  orm
    .select({ updateGuid: parts.updateGuid, part: partColumns })
    .from(parts)
    .where(sql`${parts.updateGuid} = any(${sql.placeholder('guids')}::uuid[])`)
    .orderBy(asc(parts.updateGuid), asc(parts.index)),
)

const deliveriesOf = statement('updates.deliveries', (orm) =>
  orm
    .select(deliveryColumns)
    .from(deliveries)
    .where(sql`${deliveries.updateGuid} = any(${sql.placeholder('guids')}::uuid[])`),
)

/** Returns the deliveries by the GUIDs of their updates. */
export async function listDeliveries(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, Delivery>> {
  if (guids.length === 0) return new Map()
  const [rows, owned] = await Promise.all([deliveriesOf(db, { guids }), partsOf(db, { guids })])
  const byUpdate = Map.groupBy(owned, ({ updateGuid }) => updateGuid)
  return new Map(
    rows.map((row) => [
      row.updateGuid,
      { ...row, parts: (byUpdate.get(row.updateGuid) ?? []).map(({ part }) => part) },
    ]),
  )
}

export async function hasDelivery(db: Db, guid: string): Promise<boolean> {
  return (await listDeliveries(db, [guid])).has(guid)
}

function selectLocked(orm: Orm, guid: string) {
  return orm
    .select({ ...deliveryColumns, chatWebhookUrl: tournaments.chatWebhookUrl })
    .from(deliveries)
    .innerJoin(updates, eq(updates.guid, deliveries.updateGuid))
    .innerJoin(tournaments, eq(tournaments.guid, updates.tournamentGuid))
    .where(eq(deliveries.updateGuid, guid))
    .for('update', { of: deliveries })
}

export interface LockedDelivery {
  readonly delivery: Delivery
  /** The tournament's current webhook. */
  readonly chatWebhookUrl: string | null
}

/** Locks the update's delivery for the rest of the transaction. */
export async function lockDelivery(tx: Tx, guid: string): Promise<LockedDelivery | undefined> {
  const { orm } = tx.session
  const [row] = await selectLocked(orm, guid)
  if (row === undefined) return undefined
  const { chatWebhookUrl, ...delivery } = row
  // Read after the lock, as parts change only under it.
  const owned = await partsOf(tx, { guids: [guid] })
  return { delivery: { ...delivery, parts: owned.map(({ part }) => part) }, chatWebhookUrl }
}

export async function insertDelivery(tx: Tx, { parts: made, ...delivery }: Delivery): Promise<void> {
  const { orm } = tx.session
  await orm.insert(deliveries).values(delivery)
  await orm.insert(parts).values(made.map((part) => ({ updateGuid: delivery.updateGuid, ...part })))
}

/**
 * Saves the differences and deletes the parts that are gone; null deletes the delivery. Call it under `lockDelivery`.
 * @param before as `lockDelivery` returned it
 */
export async function saveDelivery(tx: Tx, before: Delivery, after: Delivery | null): Promise<void> {
  const { orm } = tx.session
  const { updateGuid } = before
  if (after === null) {
    await orm.delete(deliveries).where(eq(deliveries.updateGuid, updateGuid))
    return
  }
  const { parts: kept, ...delivery } = after
  await orm.update(deliveries).set(delivery).where(eq(deliveries.updateGuid, updateGuid))
  const indexes = kept.map(({ index }) => index)
  if (before.parts.some(({ index }) => !indexes.includes(index))) {
    await orm.delete(parts).where(and(eq(parts.updateGuid, updateGuid), notInArray(parts.index, indexes)))
  }
  const changed = kept.filter((part) => !before.parts.includes(part))
  if (changed.length > 0) await upsertParts(tx, updateGuid, changed)
}

async function upsertParts(tx: Tx, updateGuid: string, changed: readonly Part[]): Promise<void> {
  await tx.session.orm
    .insert(parts)
    .values(changed.map((part) => ({ updateGuid, ...part })))
    .onConflictDoUpdate({
      target: [parts.updateGuid, parts.index],
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
