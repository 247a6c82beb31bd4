import { pgTable, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'

/** The secret addresses of users’ own calendars, one per user. */
export const calendarTokens = pgTable(
  'calendar_tokens',
  {
    userGuid: uuid()
      .primaryKey()
      .references(() => users.guid, { onDelete: 'cascade' }),
    digest: bytea().notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('calendar_tokens_digest_unique').on(table.digest)],
)
