import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import type { BadgeKind, GrantSource, ImportReport, ImportStatus } from './types.ts'

export const badges = pgTable(
  'badges',
  {
    guid: guid(),
    name: text().notNull(),
    description: text().notNull(),
    kind: text().$type<BadgeKind>().notNull(),
    mediaGuid: uuid().notNull(),
    imageUrl: text().notNull(),
    tournamentGuid: uuid().references(() => tournaments.guid, { onDelete: 'set null' }),
    /** The award edition in which the badge was given. */
    editionGuid: uuid(),
    /** The number of grants that are not revoked, hidden ones included. */
    holders: integer().notNull().default(0),
    /** Digest of the picture file and the description, which recognises an imported badge. (B7) */
    importDigest: bytea(),
    retiredAt: instant(),
    createdBy: uuid().references(() => users.guid, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    index('badges_newest').on(table.createdAt, table.guid),
    index('badges_tournament').on(table.tournamentGuid),
    index('badges_name').on(sql`lower(${table.name})`),
    uniqueIndex('badges_import_unique').on(table.importDigest),
    index('badges_created_by').on(table.createdBy),
    check('badges_kind_known', sql`${table.kind} in ('placement', 'participation', 'staff', 'award', 'special')`),
    check('badges_holders_counted', sql`${table.holders} >= 0`),
  ],
)

/** A badge that a user holds or held; revoking keeps the row. (B1) */
export const badgeGrants = pgTable(
  'badge_grants',
  {
    guid: guid(),
    badgeGuid: uuid()
      .notNull()
      .references(() => badges.guid, { onDelete: 'cascade' }),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid, { onDelete: 'cascade' }),
    label: text(),
    place: smallint(),
    awardedAt: instant().notNull(),
    source: text().$type<GrantSource>().notNull(),
    hidden: boolean().notNull().default(false),
    /** Set by the holder. Grants without a position come after all others. */
    position: smallint(),
    grantedBy: uuid().references(() => users.guid, { onDelete: 'set null' }),
    revokedAt: instant(),
    revokeReason: text(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('badge_grants_held_unique').on(table.badgeGuid, table.userGuid).where(sql`${table.revokedAt} is null`),
    index('badge_grants_holders').on(table.badgeGuid, table.createdAt, table.guid),
    index('badge_grants_of_user').on(table.userGuid, table.position, table.awardedAt, table.guid),
    index('badge_grants_granted_by').on(table.grantedBy),
    check('badge_grants_source_known', sql`${table.source} in ('request', 'manual', 'import', 'award')`),
    check('badge_grants_place_real', sql`${table.place} between 1 and 999`),
  ],
)

/**
 * Imports of all users' badges from the ranking platform. They run as jobs, because they take longer than a request.
 * (B7)
 */
export const badgeImports = pgTable(
  'badge_imports',
  {
    guid: guid(),
    status: text().$type<ImportStatus>().notNull(),
    dryRun: boolean().notNull(),
    /** The progress of the import. */
    report: jsonb().$type<ImportReport>().notNull(),
    createdBy: uuid().references(() => users.guid, { onDelete: 'set null' }),
    createdAt: createdAt(),
    finishedAt: instant(),
  },
  (table) => [
    uniqueIndex('badge_imports_running_unique').on(table.status).where(sql`${table.status} = 'running'`),
    index('badge_imports_newest').on(table.createdAt, table.guid),
    index('badge_imports_created_by').on(table.createdBy),
    check('badge_imports_status_known', sql`${table.status} in ('running', 'done', 'failed')`),
  ],
)
