import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { teams } from '../teams/tables.ts'

/** Teams as an organiser's sheet names them. */
export const importedTeams = pgTable(
  'imported_teams',
  {
    teamGuid: uuid()
      .primaryKey()
      .references(() => teams.guid, { onDelete: 'cascade' }),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    externalId: text(),
    /** A digest of the name in the sheet: who has renamed the team since does not make it another one. */
    sheetName: text().notNull(),
  },
  (table) => [uniqueIndex('imported_teams_external_id').on(table.tournamentGuid, table.externalId)],
)

/**
 * The users that a sheet's mentions of people have become, so that the same sheet changes nothing again, even if the
 * people have left their teams since.
 */
export const importedPeople = pgTable(
  'imported_people',
  {
    teamGuid: uuid()
      .notNull()
      .references(() => teams.guid, { onDelete: 'cascade' }),
    /** A digest of the mention, so that it tells neither name nor ID. */
    mention: text().notNull(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
  },
  (table) => [
    primaryKey({ columns: [table.teamGuid, table.mention] }),
    index('imported_people_of_tournament').on(table.tournamentGuid),
    index('imported_people_of_user').on(table.userGuid),
  ],
)
