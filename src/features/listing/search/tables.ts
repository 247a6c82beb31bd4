import { customType, index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../../infra/db/columns.ts'
import { teams } from '../../teams/teams/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'

/**
 * The words in the names and short ids of the tournaments that the system platform lists, and of their teams.
 *
 * Triggers of the database keep them up to date in the transaction of each change of listings, tournaments and teams, so
 * that no command can forget it. No code writes these tables; migrations/0047_matches_of_all_tournaments_and_search.sql
 * has the rules.
 */

/** Sorted by bytes, independent of the database's language: ranges of word beginnings need this. */
const bytewise = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })

export const tournamentTerms = pgTable(
  'tournament_terms',
  {
    term: bytewise().notNull(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    /** Newest first, as in the list of tournaments. */
    sortAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tournamentGuid, table.term] }),
    index('tournament_terms_newest').on(table.term, table.sortAt.desc(), table.tournamentGuid),
  ],
)

export const teamTerms = pgTable(
  'team_terms',
  {
    term: bytewise().notNull(),
    teamGuid: uuid()
      .notNull()
      .references(() => teams.guid, { onDelete: 'cascade' }),
    /** When the team was created. */
    sortAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamGuid, table.term] }),
    index('team_terms_newest').on(table.term, table.sortAt.desc(), table.teamGuid),
  ],
)
