import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { tournaments } from '../tournaments/tables.ts'

export const timelineEvents = pgTable(
  'timeline_events',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    title: text().notNull(),
    description: text(),
    icon: text().notNull(),
    startTime: instant().notNull(),
    endTime: instant(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    index('timeline_events_order').on(table.tournamentGuid, table.startTime, table.guid),
    index('timeline_events_calendar').on(table.startTime, table.guid),
    index('timeline_events_span').using('gist', spanOf(table)),
  ],
)

type Times = { readonly startTime: AnyPgColumn; readonly endTime: AnyPgColumn }

/** The range from start to end, both inclusive. An event without an end takes place at its start. */
export function spanOf({ startTime, endTime }: Times): SQL {
  return sql`tstzrange(${startTime}, coalesce(${endTime}, ${startTime}), '[]')`
}
