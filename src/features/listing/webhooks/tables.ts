import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { platforms } from '../platforms/tables.ts'
import type { WebhookEvent } from '../platforms/types.ts'
import type { Channel, DeliveryStatus } from './types.ts'

/** The queues of each platform that were ever used. Their rows are the locks for changes of deliveries. */
export const webhookQueues = pgTable(
  'webhook_queues',
  {
    platformGuid: uuid()
      .notNull()
      .references(() => platforms.guid, { onDelete: 'cascade' }),
    channel: text().$type<Channel>().notNull(),
    /** The lease of the one job that may work on the queue; null if there is nothing to do. */
    lease: uuid(),
    /** When that job is due, or was last at work. */
    dueAt: instant(),
    /** SHA-256 of the address that is gone for good. */
    stoppedFor: bytea(),
  },
  (table) => [
    primaryKey({ columns: [table.platformGuid, table.channel] }),
    check('webhook_queues_channel_known', sql`${table.channel} in ('chat', 'custom')`),
  ],
)

/**
 * Deliveries, waiting and finished. The address and the secret are not stored here; each attempt reads them from the
 * settings.
 */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    guid: guid(),
    platformGuid: uuid()
      .notNull()
      .references(() => platforms.guid, { onDelete: 'cascade' }),
    channel: text().$type<Channel>().notNull(),
    event: text().$type<WebhookEvent>().notNull(),
    /** Sequence number of the event in the log; orders the queue. */
    eventSeq: bigint({ mode: 'number' }).notNull(),
    /** The user whom the delivery describes. */
    userGuid: uuid().references(() => users.guid),
    /** The JSON exactly as it is sent, since the signature is made over these bytes. */
    body: text().notNull(),
    status: text().$type<DeliveryStatus>().notNull(),
    attempts: integer().notNull().default(0),
    createdAt: instant().notNull(),
    queuedAt: instant().notNull(),
    nextAttemptAt: instant().notNull(),
    finishedAt: instant(),
  },
  (table) => [
    index('webhook_deliveries_queue')
      .on(table.platformGuid, table.channel, table.eventSeq)
      .where(sql`${table.finishedAt} is null`),
    index('webhook_deliveries_waiting').on(table.queuedAt).where(sql`${table.finishedAt} is null`),
    index('webhook_deliveries_since').on(table.platformGuid, table.createdAt, table.guid),
    index('webhook_deliveries_by_status').on(table.platformGuid, table.status, table.eventSeq, table.guid),
    index('webhook_deliveries_finished').on(table.finishedAt).where(sql`${table.finishedAt} is not null`),
    index('webhook_deliveries_user').on(table.userGuid).where(sql`${table.userGuid} is not null`),
    check('webhook_deliveries_channel_known', sql`${table.channel} in ('chat', 'custom')`),
    check(
      'webhook_deliveries_status_known',
      sql`${table.status} in ('pending', 'sending', 'delivered', 'failed', 'stopped')`,
    ),
    check(
      'webhook_deliveries_finished_when',
      sql`(${table.finishedAt} is null) = (${table.status} in ('pending', 'sending'))`,
    ),
  ],
)

export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    number: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    deliveryGuid: uuid()
      .notNull()
      .references(() => webhookDeliveries.guid, { onDelete: 'cascade' }),
    at: instant().notNull(),
    status: integer(),
    durationMs: integer(),
    error: text(),
  },
  (table) => [index('webhook_attempts_of_delivery').on(table.deliveryGuid, table.number)],
)
