import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../users/tables.ts'

/** Sign-ins: on the website, and at clients that exchanged a chat token for one of the service's tokens. */
export const sessions = pgTable(
  'sessions',
  {
    guid: guid(),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    /** SHA-256 of the secret in the website's cookie; null if only a token was issued. */
    secretHash: bytea().unique('sessions_secret_hash'),
    userAgent: text(),
    createdAt: createdAt(),
    lastSeenAt: createdAt(),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
  },
  (table) => [
    index('sessions_of_user').on(table.userGuid, table.createdAt, table.guid),
    index('sessions_expiry').on(table.expiresAt),
  ],
)

/** The networks from which users signed in, so that they can be notified of a new one. */
export const signInPlaces = pgTable(
  'sign_in_places',
  {
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    /** A keyed digest of the user and the network: addresses are not stored. */
    place: text().notNull(),
    lastSeenAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userGuid, table.place] }),
    index('sign_in_places_last_seen').on(table.lastSeenAt),
  ],
)
