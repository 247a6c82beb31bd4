import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { TournamentRole } from '../../../core/roles.ts'
import type { AvailabilityStatus, Run } from '../../../engine/availability.ts'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { matches } from '../../brackets/matches/tables.ts'
import { users } from '../../people/users/tables.ts'
import { teams } from '../../teams/teams/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import type { Audience, Eligibility, MatchAnswer, Mode, SlotMinutes, Window } from './types.ts'

export const availabilitySheets = pgTable(
  'availability_sheets',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    createdByGuid: uuid()
      .notNull()
      .references(() => users.guid),
    audience: text().$type<Audience>().notNull(),
    teamEligibility: text().$type<Eligibility>().notNull(),
    slotMinutes: integer().$type<SlotMinutes>().notNull(),
    acceptedStatuses: text().array().$type<readonly AvailabilityStatus[]>().notNull(),
    title: text().notNull(),
    description: text(),
    mode: text().$type<Mode>().notNull(),
    roles: text().array().$type<readonly TournamentRole[]>().notNull(),
    timezone: text().notNull(),
    windows: jsonb().$type<readonly Window[]>().notNull(),
    closesAt: instant(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    index('availability_sheets_order').on(table.tournamentGuid, table.createdAt, table.guid),
    index('availability_sheets_by').on(table.createdByGuid, table.createdAt, table.guid),
    index('availability_sheets_closing').on(table.closesAt).where(sql`${table.closesAt} is not null`),
    check('availability_sheets_audience_known', sql`${table.audience} in ('staff', 'teams')`),
    check('availability_sheets_mode_known', sql`${table.mode} in ('matches', 'days', 'range')`),
    check(
      'availability_sheets_eligibility_known',
      sql`${table.teamEligibility} in ('registered', 'qualified', 'both')`,
    ),
    check('availability_sheets_slot_known', sql`${table.slotMinutes} in (15, 30, 60)`),
  ],
)

/** The matches that a sheet asks for, in its order. When a match is deleted, its entry is deleted too. */
export const availabilityMatches = pgTable(
  'availability_matches',
  {
    guid: guid(),
    sheetGuid: uuid()
      .notNull()
      .references(() => availabilitySheets.guid, { onDelete: 'cascade' }),
    matchGuid: uuid()
      .notNull()
      .references(() => matches.guid, { onDelete: 'cascade' }),
    position: integer().notNull(),
  },
  (table) => [
    uniqueIndex('availability_matches_once').on(table.sheetGuid, table.matchGuid),
    index('availability_matches_of_match').on(table.matchGuid),
  ],
)

/** One row for all answers of a user in a role, so that they are replaced and read as a whole. */
export const availabilityResponses = pgTable(
  'availability_responses',
  {
    guid: guid(),
    sheetGuid: uuid()
      .notNull()
      .references(() => availabilitySheets.guid, { onDelete: 'cascade' }),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    role: text().$type<TournamentRole>().notNull(),
    runs: jsonb().$type<readonly Run[]>().notNull(),
    matches: jsonb().$type<readonly MatchAnswer[]>().notNull(),
    /** The number of answers, so that it can be read without the answers. */
    count: integer().notNull().generatedAlwaysAs(sql`quarters_of(runs) + jsonb_array_length(matches)`),
    submittedAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex('availability_responses_one').on(table.sheetGuid, table.userGuid, table.role),
    index('availability_responses_of_user').on(table.userGuid, table.submittedAt, table.guid),
  ],
)

export const availabilityTeamResponses = pgTable(
  'availability_team_responses',
  {
    sheetGuid: uuid()
      .notNull()
      .references(() => availabilitySheets.guid, { onDelete: 'cascade' }),
    teamGuid: uuid()
      .notNull()
      .references(() => teams.guid, { onDelete: 'cascade' }),
    runs: jsonb().$type<readonly Run[]>().notNull(),
    /** The total length of the answers in quarters of an hour, independent of the sheet's slots. */
    quarters: integer().notNull().generatedAlwaysAs(sql`quarters_of(runs)`),
    updatedByGuid: uuid()
      .notNull()
      .references(() => users.guid),
    submittedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sheetGuid, table.teamGuid] }),
    index('availability_team_responses_of_team').on(table.teamGuid),
    index('availability_team_responses_by').on(table.updatedByGuid, table.submittedAt),
  ],
)
