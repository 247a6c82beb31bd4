import { index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { createdAt } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'

/**
 * The members of each team at its registration; "played" counts these rows. They stay when the team unregisters. (D48)
 */
export const appearances = pgTable(
  'appearances',
  {
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    firstAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userGuid, table.tournamentGuid] }),
    index('appearances_of_tournament').on(table.tournamentGuid),
  ],
)
