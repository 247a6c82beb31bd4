import { type SQL, sql } from 'drizzle-orm'
import { check, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { type TournamentRole, tournamentRoles } from '../../../core/roles.ts'
import { createdAt } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { isSeenByAll, tournaments } from '../tournaments/tables.ts'

/** The holders of tournament roles. The organiser is not a role: the tournament's own row names the organiser. (D28) */
export const tournamentRoleHolders = pgTable(
  'tournament_role_holders',
  {
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    role: text().$type<TournamentRole>().notNull(),
    grantedBy: uuid().references(() => users.guid),
    grantedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tournamentGuid, table.userGuid, table.role] }),
    index('tournament_role_holders_user').on(table.userGuid),
    check(
      'tournament_role_holders_role_known',
      sql.raw(`role in (${tournamentRoles.map((role) => `'${role}'`).join(', ')})`),
    ),
  ],
)

/** Whether a user may see the tournament: one that is not public is visible only to its staff. (D25) */
export function isSeenBy(user: SQL): SQL {
  return sql`(
    ${isSeenByAll(tournaments)}
    or ${tournaments.organiserGuid} = ${user}
    or exists (
      select from ${tournamentRoleHolders} h where h.user_guid = ${user} and h.tournament_guid = ${tournaments.guid}))`
}
