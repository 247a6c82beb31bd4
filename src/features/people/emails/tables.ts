import { sql } from 'drizzle-orm'
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../users/tables.ts'

/** Verification mails that users requested. Of the link, only the hash of its token is stored. */
export const emailVerifications = pgTable(
  'email_verifications',
  {
    guid: guid(),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    email: text().notNull(),
    /** SHA-256 of the token. */
    tokenHash: bytea().notNull().unique('email_verifications_token_hash'),
    requestedAt: createdAt(),
    expiresAt: instant().notNull(),
    sentAt: instant(),
    refusedAt: instant(),
    usedAt: instant(),
    voidedAt: instant(),
  },
  (table) => [
    index('email_verifications_of_user').on(table.userGuid, table.requestedAt, table.guid),
    index('email_verifications_to_address').on(sql`lower(${table.email})`, table.requestedAt),
    index('email_verifications_expiry').on(table.expiresAt),
  ],
)
