import { sql } from 'drizzle-orm'
import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'

/** A key that is revoked, or whose grace period is over, is deleted. */
export const streamKeys = pgTable(
  'stream_keys',
  {
    guid: guid(),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid, { onDelete: 'cascade' }),
    label: text().notNull(),
    /** SHA-256 of the key. */
    digest: bytea().notNull(),
    sealed: text().notNull(),
    lastFour: text().notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant(),
    expiresAt: instant(),
    /** The publishers' networks, in the form in which limits count callers, newest last. */
    networks: text().array().notNull().default(sql`'{}'`),
  },
  (table) => [
    uniqueIndex('stream_keys_digest_unique').on(table.digest),
    index('stream_keys_user').on(table.userGuid, table.createdAt),
    index('stream_keys_expiring').on(table.expiresAt).where(sql`${table.expiresAt} is not null`),
  ],
)
