import { index, pgTable, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { matches } from '../../brackets/matches/tables.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'

/**
 * Tickets by which a player's bridge reports scores of one match without a sign-in; one for each player and match.
 * (AS30)
 */
export const bridgeTickets = pgTable(
  'bridge_tickets',
  {
    guid: guid(),
    digest: bytea().notNull(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    matchGuid: uuid()
      .notNull()
      .references(() => matches.guid, { onDelete: 'cascade' }),
    /** The player whose scores the ticket may report. */
    userGuid: uuid()
      .notNull()
      .references(() => users.guid, { onDelete: 'cascade' }),
    madeBy: uuid().references(() => users.guid, { onDelete: 'set null' }),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex('bridge_tickets_digest_unique').on(table.digest),
    uniqueIndex('bridge_tickets_player_unique').on(table.matchGuid, table.userGuid),
    index('bridge_tickets_tournament').on(table.tournamentGuid),
    index('bridge_tickets_user').on(table.userGuid),
    index('bridge_tickets_made_by').on(table.madeBy),
    index('bridge_tickets_expires').on(table.expiresAt),
  ],
)
