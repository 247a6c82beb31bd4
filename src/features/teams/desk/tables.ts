import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../../infra/db/columns.ts'
import { teams } from '../teams/tables.ts'

/** What the staff of a tournament note about a team's registration, for themselves. */
export const teamNotes = pgTable('team_notes', {
  teamGuid: uuid()
    .primaryKey()
    .references(() => teams.guid, { onDelete: 'cascade' }),
  note: text().notNull(),
  updatedAt: instant().notNull(),
})
