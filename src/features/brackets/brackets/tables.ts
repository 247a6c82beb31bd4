import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type {
  Decision,
  Format,
  MatchStatus,
  Outcome,
  Pairing,
  Section,
  Settings,
  WithdrawalPolicy,
} from '../../../engine/types.ts'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { teams } from '../../teams/teams/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import type { BracketStatus, StoredGame, StoredSide, StoredTarget } from './types.ts'

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
    // So that a tournament's entrants are gone before the database looks whether its teams still stand anywhere.
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
    // Places are swapped in one statement, which no index that is checked row by row would let through.
    index('bracket_entrants_of_team').on(table.teamGuid),
    index('bracket_entrants_of_tournament').on(table.tournamentGuid),
  ],
)

export const matches = pgTable(
  'matches',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    divisionGuid: uuid()
      .notNull()
      .references(() => divisions.guid, { onDelete: 'cascade' }),
    bracketGuid: uuid()
      .notNull()
      .references(() => brackets.guid, { onDelete: 'cascade' }),
    number: integer().notNull(),
    section: text().$type<Section>().notNull(),
    round: integer().notNull(),
    groupIndex: integer(),
    status: text().$type<MatchStatus>().notNull(),
    outcome: text().$type<Outcome>(),
    team1Guid: uuid().references(() => teams.guid),
    team2Guid: uuid().references(() => teams.guid),
    sides: jsonb().$type<readonly [StoredSide, StoredSide]>().notNull(),
    bestOf: integer().notNull(),
    games: jsonb().$type<readonly StoredGame[]>().notNull().default([]),
    decision: jsonb().$type<Decision>(),
    started: boolean().notNull().default(false),
    reopened: boolean().notNull().default(false),
    conditional: boolean().notNull().default(false),
    pairing: jsonb().$type<Pairing>(),
    winnerTo: jsonb().$type<StoredTarget>(),
    loserTo: jsonb().$type<StoredTarget>(),
    // No keys: both stand in the same bracket, and go with it in one statement.
    nextMatchGuid: uuid(),
    loserMatchGuid: uuid(),
    scheduledAt: instant(),
    startedAt: instant(),
    completedAt: instant(),
    streamUrl: text(),
    vodUrl: text(),
    notes: text(),
    revision: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    uniqueIndex('matches_number').on(table.divisionGuid, table.number),
    index('matches_of_bracket').on(table.bracketGuid, table.number),
    index('matches_order').on(table.tournamentGuid, table.createdAt, table.number, table.guid),
    index('matches_schedule').on(table.tournamentGuid, table.scheduledAt),
    index('matches_of_team1').on(table.team1Guid),
    index('matches_of_team2').on(table.team2Guid),
    check(
      'matches_status_known',
      sql`${table.status} in ('locked', 'waiting', 'ready', 'running', 'completed', 'cancelled')`,
    ),
  ],
)
