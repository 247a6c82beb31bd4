import { sql } from 'drizzle-orm'
import { check, index, integer, json, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../tournaments/tables.ts'
import type { Card, Delivery, Part } from './types.ts'

export const updates = pgTable(
  'updates',
  {
    /** Chosen by the client; never used twice. */
    guid: uuid().primaryKey(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    authorGuid: uuid()
      .notNull()
      .references(() => users.guid),
    title: text().notNull(),
    content: text().notNull(),
    /** `json` keeps the order of a card's members, `jsonb` would not. */
    changes: json().$type<readonly Card[]>().notNull(),
    /** The SHA-256 of the first publication, which recognises a repetition of it. */
    publishedHash: bytea().notNull(),
    createdAt: createdAt(),
    updatedAt: instant(),
    deletedAt: instant(),
  },
  (table) => [
    // Scanned backwards: newest first.
    index('updates_order').on(table.tournamentGuid, table.createdAt, table.guid),
    index('updates_author').on(table.authorGuid, table.createdAt, table.guid),
  ],
)

/** The chat announcements: one per update that is sent to the chat, until it is removed from there. */
export const updateDeliveries = pgTable(
  'update_deliveries',
  {
    updateGuid: uuid()
      .primaryKey()
      .references(() => updates.guid, { onDelete: 'cascade' }),
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
    check(
      'update_deliveries_status_known',
      sql`${table.status} in ('pending', 'sending', 'delivered', 'failed', 'removing', 'removal_failed')`,
    ),
  ],
)

/** The messages of an announcement. */
export const updateParts = pgTable(
  'update_parts',
  {
    updateGuid: uuid()
      .notNull()
      .references(() => updateDeliveries.updateGuid, { onDelete: 'cascade' }),
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
    primaryKey({ columns: [table.updateGuid, table.index] }),
    check(
      'update_parts_status_known',
      sql`${table.status} in ('pending', 'sending', 'delivered', 'failed', 'removing', 'removal_failed')`,
    ),
  ],
)

/** The webhooks through which announcements are sent, each used by one job at a time. */
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
