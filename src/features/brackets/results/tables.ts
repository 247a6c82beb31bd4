import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { teams } from '../../teams/teams/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { brackets } from '../brackets/tables.ts'
import { matches } from '../matches/tables.ts'
import type { KeptMatch, Return } from './types.ts'

/** Corrections with the altered matches before and after, which is enough to undo them. */
export const corrections = pgTable(
  'corrections',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    bracketGuid: uuid().references(() => brackets.guid, { onDelete: 'cascade' }),
    matchGuid: uuid().references(() => matches.guid, { onDelete: 'cascade' }),
    /** Set instead of bracket and match if a withdrawal was taken back. (D60) */
    teamGuid: uuid().references(() => teams.guid, { onDelete: 'cascade' }),
    actorGuid: uuid()
      .notNull()
      .references(() => users.guid),
    reason: text(),
    before: jsonb().$type<readonly KeptMatch[]>().notNull(),
    after: jsonb().$type<readonly KeptMatch[]>().notNull(),
    returned: jsonb().$type<Return>(),
    /** The bracket's revision after the correction. */
    revision: integer(),
    createdAt: createdAt(),
    undoneAt: instant(),
  },
  (table) => [
    index('corrections_of_bracket').on(table.bracketGuid, table.createdAt),
    index('corrections_of_match').on(table.matchGuid),
    index('corrections_of_tournament').on(table.tournamentGuid, table.createdAt, table.guid),
    index('corrections_of_team').on(table.teamGuid).where(sql`${table.teamGuid} is not null`),
    index('corrections_of_actor').on(table.actorGuid, table.createdAt),
    check(
      'corrections_of_match_or_team',
      sql`(${table.matchGuid} is null) = (${table.teamGuid} is not null) and (${table.bracketGuid} is null) = (${table.teamGuid} is not null)`,
    ),
  ],
)
