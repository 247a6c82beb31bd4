import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from '../../../infra/db/columns.ts'
import type { RankingPlatform } from './types.ts'

/** The last answer of a ranking platform about an account. */
export const rankingProfiles = pgTable(
  'ranking_profiles',
  {
    platform: text().$type<RankingPlatform>().notNull(),
    externalId: text().notNull(),
    /** null if the platform has no such account any more. */
    name: text(),
    country: text(),
    /** 1 is best; null while unranked. */
    rank: integer(),
    fetchedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.platform, table.externalId] })],
)
