import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { brackets } from '../brackets/tables.ts'
import { matches } from '../matches/tables.ts'
import type { KeptMatch } from './types.ts'

/** What was corrected, with the matches that it altered as they were and as they became: enough to undo it. */
export const corrections = pgTable(
  'corrections',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    bracketGuid: uuid()
      .notNull()
      .references(() => brackets.guid, { onDelete: 'cascade' }),
    matchGuid: uuid()
      .notNull()
      .references(() => matches.guid, { onDelete: 'cascade' }),
    actorGuid: uuid()
      .notNull()
      .references(() => users.guid),
    reason: text(),
    before: jsonb().$type<readonly KeptMatch[]>().notNull(),
    after: jsonb().$type<readonly KeptMatch[]>().notNull(),
    /** Of the bracket, once it was applied. */
    revision: integer().notNull(),
    createdAt: createdAt(),
    undoneAt: instant(),
  },
  (table) => [
    index('corrections_of_bracket').on(table.bracketGuid, table.createdAt),
    index('corrections_of_match').on(table.matchGuid),
    index('corrections_of_tournament').on(table.tournamentGuid, table.createdAt, table.guid),
    index('corrections_of_actor').on(table.actorGuid, table.createdAt),
  ],
)
