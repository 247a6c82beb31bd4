import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'

/**
 * Rows as they were before they changed, of tournaments whose stream is behind: written by triggers alone, and read through
 * the views of the schema `delayed`, as `keep_earlier` makes them for a table. (RT41)
 */
export const earlierRows = pgTable(
  'earlier_rows',
  {
    tournamentGuid: uuid().notNull(),
    /** Name of the table. */
    relation: text().notNull(),
    /** Of the row in it. */
    key: text().notNull(),
    /** The row was so from the first of these instants until the second. */
    since: instant().notNull(),
    until: instant().notNull(),
    /** null for a row that was not there. */
    row: jsonb(),
  },
  (table) => [
    primaryKey({ columns: [table.relation, table.key, table.until] }),
    index('earlier_rows_of_tournament').on(table.tournamentGuid, table.until),
    index('earlier_rows_until').on(table.until),
  ],
)

/**
 * How late matches are shown that stand, or stood, in the queue of a channel: written by triggers alone, which follow the queues.
 * (RT40)
 */
export const matchDelays = pgTable('match_delays', {
  /** Of a match, with which the row goes. */
  matchGuid: uuid().primaryKey(),
  /** Of the channel; null for as late as everything else in the tournament. */
  seconds: integer(),
  /** What is shown is of no instant before this one. (RT41) */
  notBefore: instant().notNull(),
})
