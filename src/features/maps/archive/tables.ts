import { customType, doublePrecision, index, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../../infra/db/columns.ts'
import { maps } from '../catalogue/tables.ts'
import { pools } from '../pools/tables.ts'

/**
 * The search index of the archive: pools that everybody sees, and the visible maps in them, of tournaments that the
 * system platform lists. (pools: What outsiders see)
 *
 * Triggers of the database keep the index up to date in the transaction of each change of pools, pool maps and
 * listings, so that no command can forget it. No code writes these tables; migrations/0016_map_usage.sql has the rules.
 */

/**
 * Sorted by bytes, independent of the database's language: positions in lists and ranges of word beginnings need this.
 */
const bytewise = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })

export const mapUsage = pgTable(
  'map_usage',
  {
    mapGuid: uuid()
      .primaryKey()
      .references(() => maps.guid, { onDelete: 'cascade' }),
    pools: integer().notNull(),
    tournaments: integer().notNull(),
    /** When the map first became visible in one of these pools, and when it last did. */
    firstPublishedAt: instant().notNull(),
    lastUsedAt: instant().notNull(),
    /** The sort key of the name; maps without a name come last. */
    nameKey: bytewise().notNull(),
    /** A value below all others if the map has no stars. */
    starsA: doublePrecision().notNull(),
    starsB: doublePrecision().notNull(),
    nps: doublePrecision(),
    durationSeconds: integer(),
  },
  (table) => [
    index('map_usage_newest').on(table.firstPublishedAt, table.mapGuid),
    index('map_usage_used').on(table.pools, table.mapGuid),
    index('map_usage_last_used').on(table.lastUsedAt, table.mapGuid),
    index('map_usage_name').on(table.nameKey, table.mapGuid),
    index('map_usage_stars_a').on(table.starsA, table.mapGuid),
    index('map_usage_stars_b').on(table.starsB, table.mapGuid),
    index('map_usage_nps').on(table.nps, table.mapGuid),
    index('map_usage_seconds').on(table.durationSeconds, table.mapGuid),
  ],
)

/**
 * The search terms of maps, each with a prefix for its kind: words (`w:`), hash, key, mapper, difficulty,
 * characteristic, ranking, and the pools, tournaments and flairs of the map. Each row also contains the sort values, so
 * that the records with a term can be read in the order of any list, from the start of a page.
 */
export const mapTerms = pgTable(
  'map_terms',
  {
    term: bytewise().notNull(),
    mapGuid: uuid()
      .notNull()
      .references(() => mapUsage.mapGuid, { onDelete: 'cascade' }),
    firstPublishedAt: instant().notNull(),
    pools: integer().notNull(),
    nameKey: bytewise().notNull(),
    starsA: doublePrecision().notNull(),
    starsB: doublePrecision().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.term, table.mapGuid] }),
    index('map_terms_of_map').on(table.mapGuid, table.term),
    index('map_terms_newest').on(table.term, table.firstPublishedAt, table.mapGuid),
    index('map_terms_used').on(table.term, table.pools, table.mapGuid),
    index('map_terms_name').on(table.term, table.nameKey, table.mapGuid),
    index('map_terms_stars_a').on(table.term, table.starsA, table.mapGuid),
    index('map_terms_stars_b').on(table.term, table.starsB, table.mapGuid),
  ],
)

export const listedPools = pgTable(
  'listed_pools',
  {
    poolGuid: uuid()
      .primaryKey()
      .references(() => pools.guid, { onDelete: 'cascade' }),
    publishedAt: instant().notNull(),
    nameKey: bytewise().notNull(),
  },
  (table) => [
    index('listed_pools_newest').on(table.publishedAt, table.poolGuid),
    index('listed_pools_name').on(table.nameKey, table.poolGuid),
  ],
)

/** The search terms of pools: words, tournament, kind, status, and the hashes and flairs of the pool's visible maps. */
export const poolTerms = pgTable(
  'pool_terms',
  {
    term: bytewise().notNull(),
    poolGuid: uuid()
      .notNull()
      .references(() => listedPools.poolGuid, { onDelete: 'cascade' }),
    publishedAt: instant().notNull(),
    nameKey: bytewise().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.term, table.poolGuid] }),
    index('pool_terms_of_pool').on(table.poolGuid, table.term),
    index('pool_terms_newest').on(table.term, table.publishedAt, table.poolGuid),
    index('pool_terms_name').on(table.term, table.nameKey, table.poolGuid),
  ],
)
