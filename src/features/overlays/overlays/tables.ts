import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { overlayAccess } from './types.ts'

/**
 * Pages that a broadcast shows of a tournament. The look is in the draft and the versions; the current content is in
 * the control state.
 */
export const overlays = pgTable(
  'overlays',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    name: text().notNull(),
    access: text({ enum: overlayAccess }).notNull().default('token'),
    createdAt: createdAt(),
    /** Changes only with the record, and not with the draft, the control state or the pages. */
    updatedAt: createdAt(),
  },
  (table) => [
    uniqueIndex('overlays_name_unique').on(table.tournamentGuid, sql`lower(${table.name})`),
    index('overlays_listed').on(table.tournamentGuid, table.createdAt, table.guid),
    check('overlays_access', sql`${table.access} in ('token', 'public')`),
  ],
)

/** Users who may change the scenes without a role in the tournament. */
export const overlayEditors = pgTable(
  'overlay_editors',
  {
    overlayGuid: uuid()
      .notNull()
      .references(() => overlays.guid, { onDelete: 'cascade' }),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid, { onDelete: 'cascade' }),
    addedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.overlayGuid, table.userGuid] }),
    index('overlay_editors_user').on(table.userGuid),
  ],
)

/** View tokens; each lets a page read one overlay. Revoked tokens are deleted. (OV16) */
export const overlayTokens = pgTable(
  'overlay_tokens',
  {
    guid: guid(),
    overlayGuid: uuid()
      .notNull()
      .references(() => overlays.guid, { onDelete: 'cascade' }),
    /** SHA-256 of the token. The token itself is not stored. */
    digest: bytea().notNull(),
    label: text().notNull(),
    lastFour: text().notNull(),
    /** Whether the token also shows what is prepared but not yet on air. */
    preview: boolean().notNull(),
    expiresAt: instant(),
    createdAt: createdAt(),
    createdBy: uuid().references(() => users.guid, { onDelete: 'set null' }),
    /** Rounded down to the hour, so that it is saved only once an hour. */
    lastUsedAt: instant(),
  },
  (table) => [
    uniqueIndex('overlay_tokens_digest_unique').on(table.digest),
    index('overlay_tokens_listed').on(table.overlayGuid, table.createdAt, table.guid),
    index('overlay_tokens_created_by').on(table.createdBy),
    index('overlay_tokens_expires').on(table.expiresAt),
  ],
)
