import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { platforms } from '../platforms/tables.ts'
import type { WebhookEvent } from '../platforms/types.ts'
import type { Channel, DeliveryStatus } from './types.ts'

/** The ways out of each platform that were ever used: the lock under which their deliveries are changed. */
export const webhookQueues = pgTable(
  'webhook_queues',
  {
    platformGuid: uuid()
      .notNull()
      .references(() => platforms.guid, { onDelete: 'cascade' }),
    channel: text().$type<Channel>().notNull(),
    /** Names the one job that may work on the queue; null while there is nothing to do. */
    lease: uuid(),
    /** When that job is, or was last, to be at work. */
    dueAt: instant(),
    /** SHA-256 of the address that said that it is gone for good. */
    stoppedFor: bytea(),
  },
  (table) => [
    primaryKey({ columns: [table.platformGuid, table.channel] }),
    check('webhook_queues_channel_known', sql`${table.channel} in ('chat', 'custom')`),
  ],
)

/** What is, or was, to be sent; neither where to nor with which secret, which is read at each attempt. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    guid: guid(),
    platformGuid: uuid()
      .notNull()
      .references(() => platforms.guid, { onDelete: 'cascade' }),
    channel: text().$type<Channel>().notNull(),
    event: text().$type<WebhookEvent>().notNull(),
    /** Number of what happened in the event log: the place in the queue. */
    eventSeq: bigint({ mode: 'number' }).notNull(),
    /** Of whom it tells. */
    userGuid: uuid().references(() => users.guid),
    /** JSON as it is sent, byte for byte: a signature is made over it. */
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
