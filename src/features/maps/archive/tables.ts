import { customType, doublePrecision, index, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../../infra/db/columns.ts'
import { maps } from '../catalogue/tables.ts'
import { pools } from '../pools/tables.ts'

/**
 * What lists and searches of the archive are read from: the pools that everybody sees, and the maps in them, of tournaments
 * that the system platform lists. (pools: What outsiders see)
 *
 * The database keeps all of it in step with pools, their maps and listings by itself, in the transaction of the change, so that
 * no command can forget to. Nobody else writes these tables; migrations/0016_map_usage.sql has the rules.
 */

/** In the order of its bytes, whatever the database's language is: positions in lists, and ranges of beginnings. */
const bytewise = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })

export const mapUsage = pgTable(
  'map_usage',
  {
    mapGuid: uuid()
      .primaryKey()
      .references(() => maps.guid, { onDelete: 'cascade' }),
    pools: integer().notNull(),
    tournaments: integer().notNull(),
    /** When it was first seen in one of these pools, and when it was last seen newly in one. */
    firstPublishedAt: instant().notNull(),
    lastUsedAt: instant().notNull(),
    /** By which names are sorted; maps without one stand behind all others. */
    nameKey: bytewise().notNull(),
    /** Below all others where there are none. */
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
 * By what a map is found, with a letter before it that tells what it is: words (`w:`), hash, key, mapper, difficulty,
 * characteristic, ranking, and the pools, tournaments and flairs in which it stands. Beside each what lists are sorted by, so
 * that what has a term is read in the order of any list, from where a page begins.
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

/** By what a pool is found: words, tournament, kind, status, and the hashes and flairs of the maps that everybody sees in it. */
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
