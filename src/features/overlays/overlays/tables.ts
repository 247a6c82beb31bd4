import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { overlayAccess } from './types.ts'

/** What a broadcast shows of a tournament: how it looks is in its draft and its versions, what it shows now in its control. */
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
    /** Of the record; what its draft, its control and its pages do moves nothing here. */
    updatedAt: createdAt(),
  },
  (table) => [
    uniqueIndex('overlays_name_unique').on(table.tournamentGuid, sql`lower(${table.name})`),
    index('overlays_listed').on(table.tournamentGuid, table.createdAt, table.guid),
    check('overlays_access', sql`${table.access} in ('token', 'public')`),
  ],
)

/** Who may change scenes, beside those whose role in the tournament lets them. */
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

/** What lets a page read one overlay. Revoked ones are gone. (OV16) */
export const overlayTokens = pgTable(
  'overlay_tokens',
  {
    guid: guid(),
    overlayGuid: uuid()
      .notNull()
      .references(() => overlays.guid, { onDelete: 'cascade' }),
    /** SHA-256 of the token, which is kept nowhere. */
    digest: bytea().notNull(),
    label: text().notNull(),
    lastFour: text().notNull(),
    /** Whether it also shows what is about to be taken on air. */
    preview: boolean().notNull(),
    expiresAt: instant(),
    createdAt: createdAt(),
    createdBy: uuid().references(() => users.guid, { onDelete: 'set null' }),
    /** To the hour, so that it is written once in one. */
    lastUsedAt: instant(),
  },
  (table) => [
    uniqueIndex('overlay_tokens_digest_unique').on(table.digest),
    index('overlay_tokens_listed').on(table.overlayGuid, table.createdAt, table.guid),
    index('overlay_tokens_created_by').on(table.createdBy),
    index('overlay_tokens_expires').on(table.expiresAt),
  ],
)
