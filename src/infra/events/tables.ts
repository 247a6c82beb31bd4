import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'

/** What happened, in the order in which it was committed. Written by `emit` alone. */
export const eventLog = pgTable(
  'event_log',
  {
    seq: bigint({ mode: 'number' }).primaryKey(),
    at: instant().notNull().default(sql`clock_timestamp()`),
    type: text().notNull(),
    subject: uuid(),
    tournament: uuid(),
    actor: uuid(),
    before: jsonb(),
    after: jsonb(),
    /** Records, by GUID or name, whose remembered answers this event makes stale. */
    touches: text().array().notNull(),
  },
  (table) => [
    index('event_log_tournament').on(table.tournament, table.seq),
    index('event_log_actor').on(table.actor, table.seq).where(sql`${table.actor} is not null`),
  ],
)

/** How far each follower of the log has come. */
export const followers = pgTable('followers', {
  name: text().primaryKey(),
  position: bigint({ mode: 'number' }).notNull(),
})
