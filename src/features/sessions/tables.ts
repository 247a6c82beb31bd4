import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, guid, instant } from '../../infra/db/columns.ts'
import { users } from '../users/tables.ts'

/** Website sign-ins. The cookie holds the secret; here is only its SHA-256. */
export const sessions = pgTable(
  'sessions',
  {
    guid: guid(),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    secretHash: bytea().notNull().unique('sessions_secret_hash'),
    userAgent: text(),
    createdAt: createdAt(),
    lastSeenAt: createdAt(),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
  },
  (table) => [index('sessions_of_user').on(table.userGuid), index('sessions_expiry').on(table.expiresAt)],
)
