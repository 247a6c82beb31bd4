import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, guid, instant } from '../../infra/db/columns.ts'
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
  },
  (table) => [index('timeline_events_order').on(table.tournamentGuid, table.startTime, table.guid)],
)
