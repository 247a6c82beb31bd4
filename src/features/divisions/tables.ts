import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, guid } from '../../infra/db/columns.ts'
import { tournaments } from '../tournaments/tables.ts'

export const divisions = pgTable(
  'divisions',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    id: text().notNull(),
    name: text().notNull(),
    order: integer().notNull(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    uniqueIndex('divisions_id').on(table.tournamentGuid, table.id),
    index('divisions_order').on(table.tournamentGuid, table.order, table.guid),
  ],
)
