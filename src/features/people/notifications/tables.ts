import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../users/tables.ts'

/** The service's notifications to users, newest first. */
export const notifications = pgTable(
  'notifications',
  {
    guid: guid(),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    type: text().notNull(),
    title: text().notNull(),
    body: text().notNull().default(''),
    data: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    readAt: instant(),
    createdAt: createdAt(),
  },
  (table) => [index('notifications_of_user').on(table.userGuid, table.createdAt, table.guid)],
)
