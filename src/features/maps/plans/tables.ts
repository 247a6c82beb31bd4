import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { guid } from '../../../infra/db/columns.ts'
import { brackets } from '../../brackets/brackets/tables.ts'
import { matches } from '../../brackets/matches/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { pools } from '../pools/tables.ts'

/** The pool plan of a tournament: the default pool of its matches. */
export const poolPlans = pgTable(
  'pool_plans',
  {
    tournamentGuid: uuid()
      .primaryKey()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    revision: integer().notNull(),
    defaultPoolGuid: uuid().references(() => pools.guid, { onDelete: 'set null' }),
  },
  (table) => [index('pool_plans_default').on(table.defaultPoolGuid)],
)

/** The exceptions from the default pool: for a match, for a round of a bracket, or for a whole bracket. */
export const plannedPools = pgTable(
  'planned_pools',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    matchGuid: uuid().references(() => matches.guid, { onDelete: 'cascade' }),
    bracketGuid: uuid().references(() => brackets.guid, { onDelete: 'cascade' }),
    /** A key as in `bestOfByRound`, such as `upper:1`; null for the whole bracket. */
    round: text(),
    poolGuid: uuid()
      .notNull()
      .references(() => pools.guid, { onDelete: 'cascade' }),
  },
  (table) => [
    index('planned_pools_tournament').on(table.tournamentGuid),
    index('planned_pools_pool').on(table.poolGuid),
    uniqueIndex('planned_pools_match').on(table.matchGuid),
    uniqueIndex('planned_pools_round').on(table.bracketGuid, sql`coalesce(${table.round}, '')`),
    check('planned_pools_target', sql`num_nonnulls(${table.matchGuid}, ${table.bracketGuid}) = 1`),
    check('planned_pools_of_round', sql`${table.round} is null or ${table.bracketGuid} is not null`),
  ],
)
