import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  check,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { instant } from '../../../infra/db/columns.ts'
import { tournaments } from '../tournaments/tables.ts'
import { type Delivery, mainChannel, type Part } from './types.ts'

/** What is sent to chat channels: updates and announcements, until they are removed from there. */
export const chatDeliveries = pgTable(
  'chat_deliveries',
  {
    guid: uuid().primaryKey(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    channel: text().notNull().default(mainChannel),
    /** The order in which the deliveries of a channel begin. */
    place: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
    status: text().$type<Delivery['status']>().notNull(),
    revision: integer().notNull(),
    attempts: integer().notNull(),
    failures: integer().notNull(),
    lastError: text(),
    nextAttemptAt: instant(),
    giveUpAt: instant(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    index('chat_deliveries_of_tournament').on(table.tournamentGuid),
    index('chat_deliveries_waiting').on(table.tournamentGuid, table.channel, table.place).where(isUnderWay(table)),
    check(
      'chat_deliveries_status_known',
      sql`${table.status} in ('pending', 'sending', 'delivered', 'failed', 'removing', 'removal_failed')`,
    ),
  ],
)

/** Whether something is still sent: written the same way in queries, so that they use the index. */
export function isUnderWay({ status }: { readonly status: AnyPgColumn }): SQL {
  return sql`${status} in ('pending', 'sending')`
}

/** The messages of a delivery. */
export const chatParts = pgTable(
  'chat_parts',
  {
    deliveryGuid: uuid()
      .notNull()
      .references(() => chatDeliveries.guid, { onDelete: 'cascade' }),
    index: integer().notNull(),
    status: text().$type<Part['status']>().notNull(),
    message: json().$type<Part['message']>(),
    messageId: text(),
    /** Secret: never returned. */
    webhookUrl: text(),
    revision: integer().notNull(),
    uncertainSince: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.deliveryGuid, table.index] }),
    check(
      'chat_parts_status_known',
      sql`${table.status} in ('pending', 'sending', 'delivered', 'failed', 'removing', 'removal_failed')`,
    ),
  ],
)

/** The webhooks through which deliveries are sent, each used by one job at a time. */
export const chatChannels = pgTable(
  'chat_channels',
  {
    /** The SHA-256 of the webhook's address as hexadecimal digits, or `everywhere`. */
    scope: text().primaryKey(),
    /** Until when the chat platform accepts nothing more through the webhook. */
    pausedUntil: instant(),
    /** The run of a job that uses the webhook. */
    heldBy: text(),
    /** When that run is considered dead. */
    heldUntil: instant(),
  },
  (table) => [index('chat_channels_held').on(table.heldBy).where(sql`${table.heldBy} is not null`)],
)
