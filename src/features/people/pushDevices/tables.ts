import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../users/tables.ts'
import type { Occasion, PushKind } from './types.ts'

/** The browsers on which users are told of what concerns them. */
export const pushDevices = pgTable(
  'push_devices',
  {
    guid: guid(),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid, { onDelete: 'cascade' }),
    endpoint: text().notNull(),
    /** SHA-256 of the endpoint, which may be longer than an index entry. A subscription belongs to one user. */
    endpointDigest: bytea().notNull(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    name: text(),
    mutedKinds: text().array().$type<readonly PushKind[]>().notNull().default(sql`'{}'`),
    quietFrom: text(),
    quietTo: text(),
    quietTimezone: text(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    uniqueIndex('push_devices_endpoint_unique').on(table.endpointDigest),
    index('push_devices_of_user').on(table.userGuid, table.createdAt, table.guid),
  ],
)

/** The times for which reminders were sent, so that each reminder is sent once. */
export const pushReminders = pgTable(
  'push_reminders',
  {
    occasion: text().$type<Occasion>().notNull(),
    /** GUID of the match or sheet. No foreign key, since rows are deleted soon after their time. */
    recordGuid: uuid().notNull(),
    /** The start of the match or the end of the sheet: another time is another reminder. */
    dueAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.occasion, table.recordGuid, table.dueAt] }),
    index('push_reminders_due').on(table.dueAt),
  ],
)
