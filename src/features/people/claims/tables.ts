import { index, jsonb, pgTable, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { users } from '../users/tables.ts'
import type { Moved } from './types.ts'

/** Links by which a person takes over a placeholder. Only the digest of the secret is kept. */
export const claimLinks = pgTable(
  'claim_links',
  {
    guid: guid(),
    placeholderGuid: uuid()
      .notNull()
      .references(() => users.guid),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    secretHash: bytea().notNull(),
    createdByGuid: uuid()
      .notNull()
      .references(() => users.guid),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
    revokedAt: instant(),
  },
  (table) => [
    uniqueIndex('claim_links_secret').on(table.secretHash),
    index('claim_links_of_placeholder').on(table.placeholderGuid, table.createdAt, table.guid),
    index('claim_links_by').on(table.createdByGuid, table.createdAt),
  ],
)

/** Placeholders that accounts have taken over, with what they took, so that it can be taken back. */
export const claims = pgTable(
  'claims',
  {
    guid: guid(),
    placeholderGuid: uuid()
      .notNull()
      .references(() => users.guid),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    moved: jsonb().$type<Moved>().notNull(),
    createdAt: createdAt(),
    undoneAt: instant(),
  },
  (table) => [
    index('claims_of_user').on(table.userGuid, table.createdAt),
    index('claims_of_placeholder').on(table.placeholderGuid, table.createdAt),
  ],
)
