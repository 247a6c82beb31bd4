import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'
import { eventLog } from '../events/tables.ts'

/**
 * The horizons of held tournaments: outsiders see the competition as it was at that instant. There is a row for each
 * tournament whose `spoilerMode` is `held`, made and deleted by the database with that setting. A horizon only grows.
 */
export const spoilerHorizons = pgTable('spoiler_horizons', {
  /** GUID; the row is deleted with the tournament. */
  tournamentGuid: uuid().primaryKey(),
  horizon: instant().notNull(),
})

/**
 * Changes of held tournaments that outsiders do not see yet: rows as they became. Only triggers write them; `hold_rows`
 * makes the triggers. The changes of a transaction have one time, and are shown together.
 */
export const heldChanges = pgTable(
  'held_changes',
  {
    /** Ascending in the order of the changes of a row. */
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** GUID; of a row in `spoiler_horizons`, with which the change is deleted. */
    tournamentGuid: uuid().notNull(),
    /** Number of the transaction; two transactions have the same one only after a backup was restored. */
    transaction: bigint({ mode: 'number' }).notNull(),
    /** Name of the table. */
    relation: text().notNull(),
    /** The primary key of the row, as an object. */
    key: jsonb().notNull(),
    /** Null when the row was deleted. */
    row: jsonb(),
    /** When the transaction was committed; null until then. */
    at: instant(),
    /** Numbers of the first and last event of the transaction; null if it has none. */
    eventFrom: bigint({ mode: 'number' }),
    eventTo: bigint({ mode: 'number' }),
  },
  (table) => [
    uniqueIndex('held_changes_of_transaction')
      .on(table.relation, table.key, table.transaction)
      .where(sql`${table.at} is null`),
    index('held_changes_due').on(table.tournamentGuid, table.at),
    index('held_changes_of_row').on(table.relation, table.key),
    index('held_changes_event').on(table.eventTo).where(sql`${table.eventTo} is not null`),
  ],
)

/**
 * Events whose transactions changed something that is held, or was: outsiders learn of them in the order in which they
 * are shown.
 */
export const heldEvents = pgTable(
  'held_events',
  {
    seq: bigint({ mode: 'number' })
      .notNull()
      .references(() => eventLog.seq, { onDelete: 'cascade' }),
    /** GUID of the tournament whose changes they made. */
    tournamentGuid: uuid().notNull(),
    /** When the transaction was committed. */
    at: instant().notNull(),
    /** Number of the event that showed it; null for an event that outsiders do not see yet. */
    shownBy: bigint({ mode: 'number' }),
  },
  (table) => [
    primaryKey({ columns: [table.seq, table.tournamentGuid] }),
    index('held_events_shown').on(table.shownBy, table.seq).where(sql`${table.shownBy} is not null`),
    index('held_events_waiting').on(table.tournamentGuid, table.at).where(sql`${table.shownBy} is null`),
  ],
)
