import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'

/**
 * Earlier states of rows of tournaments with a delayed stream. Only triggers write them; `keep_earlier` makes views in
 * the schema `delayed`, which read them. (RT41)
 */
export const earlierRows = pgTable(
  'earlier_rows',
  {
    tournamentGuid: uuid().notNull(),
    /** Name of the table. */
    relation: text().notNull(),
    /** The key of the row in that table. */
    key: text().notNull(),
    /** The row had this state from `since` until `until`. */
    since: instant().notNull(),
    until: instant().notNull(),
    /** Null when the row did not exist. */
    row: jsonb(),
  },
  (table) => [
    primaryKey({ columns: [table.relation, table.key, table.until] }),
    index('earlier_rows_of_tournament').on(table.tournamentGuid, table.until),
    index('earlier_rows_until').on(table.until),
  ],
)

/**
 * The delays of matches that are or were in the queue of a channel. Only triggers write them, when queues change.
 * (RT40)
 */
export const matchDelays = pgTable('match_delays', {
  /** GUID of the match; the row is deleted with it. */
  matchGuid: uuid().primaryKey(),
  /** The delay of the channel; null for the delay of the rest of the tournament. */
  seconds: integer(),
  /** Nothing before this time is visible. (RT41) */
  notBefore: instant().notNull(),
})
