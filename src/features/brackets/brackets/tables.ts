import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Format, Settings, WithdrawalPolicy } from '../../../engine/types.ts'
import { createdAt, guid } from '../../../infra/db/columns.ts'
import { teams } from '../../teams/teams/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import type { BracketStatus, TieRuling } from './types.ts'

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

export const brackets = pgTable(
  'brackets',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    divisionGuid: uuid()
      .notNull()
      .references(() => divisions.guid, { onDelete: 'cascade' }),
    name: text().notNull(),
    order: integer().notNull(),
    format: text().$type<Format>().notNull(),
    settings: jsonb().$type<Settings>().notNull(),
    status: text().$type<BracketStatus>().notNull(),
    revision: integer().notNull().default(1),
    open: integer().notNull(),
    started: integer().notNull().default(0),
    roundsMade: integer().notNull().default(0),
    ruling: jsonb().$type<TieRuling>(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    index('brackets_of_tournament').on(table.tournamentGuid),
    index('brackets_order').on(table.divisionGuid, table.order, table.guid),
    check('brackets_status_known', sql`${table.status} in ('draft', 'ready', 'running', 'completed')`),
  ],
)

export const bracketEntrants = pgTable(
  'bracket_entrants',
  {
    // With this column, deleting a tournament deletes its entrants before the database checks that no entrant refers to
    // a deleted team.
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    bracketGuid: uuid()
      .notNull()
      .references(() => brackets.guid, { onDelete: 'cascade' }),
    slot: integer().notNull(),
    seed: integer(),
    teamGuid: uuid().references(() => teams.guid),
    withdrawal: text().$type<WithdrawalPolicy>(),
  },
  (table) => [
    primaryKey({ columns: [table.bracketGuid, table.slot] }),
    // One statement swaps places. A unique index on them would be checked row by row and would reject that.
    index('bracket_entrants_of_team').on(table.teamGuid),
    index('bracket_entrants_of_tournament').on(table.tournamentGuid),
  ],
)
