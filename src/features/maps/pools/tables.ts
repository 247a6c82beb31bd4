import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { TournamentRole } from '../../../core/roles.ts'
import { bytea, createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { maps } from '../catalogue/tables.ts'
import type { KeptMap } from '../catalogue/types.ts'
import type { ChangeKind, Failure, MapOptions, PoolKind, PoolStatus, Slot } from './types.ts'

export const pools = pgTable(
  'pools',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    name: text().notNull(),
    /**
     * Equal for names that count as equal. In rows from before that rule it begins with a line break, until the next
     * start of the service sets it. (D73)
     */
    nameKey: text().notNull(),
    description: text(),
    kind: text().$type<PoolKind>().notNull(),
    order: integer().notNull(),
    status: text().$type<PoolStatus>().notNull(),
    publishAt: instant(),
    publishedAt: instant(),
    archivedAt: instant(),
    revision: integer(),
    lastRevision: integer().notNull().default(0),
    draftRevision: integer().notNull().default(1),
    slots: jsonb().$type<readonly Slot[]>().notNull().default([]),
    playlistTitle: text(),
    playlistAuthor: text(),
    playlistDescription: text().notNull().default(''),
    coverHash: text(),
    previewRoles: text().array().$type<readonly TournamentRole[]>().notNull().default(sql`'{}'`),
    previewKeyHash: bytea(),
    forcedFailures: jsonb().$type<readonly Failure[]>(),
    announcedAt: instant(),
    announceAt: instant(),
    checkedAt: instant(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    shownAt: instant(),
  },
  (table) => [
    uniqueIndex('pools_name').on(table.tournamentGuid, table.nameKey),
    index('pools_without_name_key').on(table.guid).where(sql`${table.nameKey} like E'\\n%'`),
    uniqueIndex('pools_one_qualifier')
      .on(table.tournamentGuid)
      .where(sql`${table.kind} = 'qualifier' and ${table.status} <> 'archived'`),
    index('pools_order').on(table.tournamentGuid, table.order, table.guid),
    index('pools_publish_at')
      .on(table.publishAt)
      .where(sql`${table.status} = 'draft' and ${table.publishAt} is not null`),
    index('pools_announce_at').on(table.announceAt).where(sql`${table.announceAt} is not null`),
    check('pools_kind_known', sql`${table.kind} in ('match', 'qualifier')`),
    check('pools_status_known', sql`${table.status} in ('draft', 'published', 'archived')`),
    check('pools_revision', sql`(${table.revision} is null) = (${table.status} = 'draft')`),
  ],
)

/** A separate table, because pools are read much more often than their covers. */
export const poolCovers = pgTable('pool_covers', {
  poolGuid: uuid()
    .primaryKey()
    .references(() => pools.guid, { onDelete: 'cascade' }),
  mediaType: text().$type<'image/png' | 'image/jpeg'>().notNull(),
  picture: bytea().notNull(),
  /** 256 × 256 pixels, for playlists. */
  small: bytea().notNull(),
})

export const flairs = pgTable(
  'flairs',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    name: text().notNull(),
    color: text().notNull(),
    icon: text(),
    order: integer().notNull(),
  },
  (table) => [
    index('flairs_order').on(table.tournamentGuid, table.order, table.guid),
    check('flairs_color', sql`${table.color} ~ '^#[0-9a-f]{6}$'`),
  ],
)

export const poolMaps = pgTable(
  'pool_maps',
  {
    guid: guid(),
    poolGuid: uuid()
      .notNull()
      .references(() => pools.guid, { onDelete: 'cascade' }),
    mapGuid: uuid()
      .notNull()
      .references(() => maps.guid),
    flairGuid: uuid().references(() => flairs.guid),
    order: integer().notNull(),
    isTiebreaker: boolean().notNull(),
    modifiers: text().array().$type<readonly string[]>().notNull(),
    playerOptions: text().array().$type<readonly string[]>().notNull(),
    options: jsonb().$type<MapOptions>().notNull(),
    attempts: integer(),
    weight: doublePrecision().notNull(),
    note: text(),
    staffNote: text(),
    releaseAt: instant(),
    releasedAt: instant(),
    addedByGuid: uuid().references(() => users.guid),
    suggestionGuid: uuid(),
    /** Data from the import that added the map; used for maps that the catalogue does not publish. (D71) */
    told: jsonb().$type<KeptMap>(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('pool_maps_once').on(table.poolGuid, table.mapGuid),
    index('pool_maps_order').on(table.poolGuid, table.order, table.guid),
    index('pool_maps_of_map').on(table.mapGuid, table.poolGuid),
    index('pool_maps_flair').on(table.flairGuid).where(sql`${table.flairGuid} is not null`),
    index('pool_maps_release')
      .on(table.releaseAt)
      .where(sql`${table.releaseAt} is not null and ${table.releasedAt} is null`),
    index('pool_maps_added_by').on(table.addedByGuid, table.createdAt, table.guid),
    check('pool_maps_attempts', sql`${table.attempts} between 0 and 100`),
    check('pool_maps_weight', sql`${table.weight} > 0 and ${table.weight} <= 1000`),
  ],
)

/**
 * Maps that a qualifier took from a pool, and that were deleted from the pool before everybody could see them. They
 * stay hidden in the qualifier. (pools: What outsiders see)
 */
export const withdrawnMaps = pgTable('withdrawn_pool_maps', { guid: uuid().primaryKey() })

/** The corrections since the publication. */
export const poolChanges = pgTable(
  'pool_changes',
  {
    guid: guid(),
    poolGuid: uuid()
      .notNull()
      .references(() => pools.guid, { onDelete: 'cascade' }),
    revision: integer().notNull(),
    kind: text().$type<ChangeKind>().notNull(),
    /** Maps of the pool, as poolers saw them. */
    before: jsonb(),
    after: jsonb(),
    reason: text(),
    byGuid: uuid().references(() => users.guid),
    at: createdAt(),
    /** Whether the change was visible to everybody. */
    isShown: boolean().notNull(),
  },
  (table) => [
    index('pool_changes_newest').on(table.poolGuid, table.at, table.guid),
    index('pool_changes_by').on(table.byGuid, table.at),
    check('pool_changes_kind_known', sql`${table.kind} in ('added', 'removed', 'replaced', 'edited', 'reordered')`),
  ],
)

export const poolingSettings = pgTable('pooling_settings', {
  tournamentGuid: uuid()
    .primaryKey()
    .references(() => tournaments.guid, { onDelete: 'cascade' }),
  openSuggestions: boolean().notNull().default(false),
  hideVotes: boolean().notNull().default(true),
})
