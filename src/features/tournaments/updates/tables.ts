import { index, json, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../tournaments/tables.ts'
import type { Card } from './types.ts'

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
