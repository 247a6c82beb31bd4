import { sql } from 'drizzle-orm'
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { Scope } from '../core/scopes.ts'
import { users } from '../features/users/tables.ts'
import { guid, instant } from '../infra/db/columns.ts'

/** Every access token that was given out and has not expired. A token without a row here is refused. */
export const accessTokens = pgTable(
  'access_tokens',
  {
    jti: guid(),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    /** null for first-party tokens. (D40) */
    clientId: text(),
    /** The sign-in that it came from, so that ending the one ends the other. */
    sessionGuid: uuid(),
    scopes: text().array().$type<Scope[]>().notNull(),
    issuedAt: instant().notNull(),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
  },
  (table) => [
    index('access_tokens_of_user').on(table.userGuid),
    index('access_tokens_of_session').on(table.sessionGuid).where(sql`${table.sessionGuid} is not null`),
    index('access_tokens_expiry').on(table.expiresAt),
  ],
)
