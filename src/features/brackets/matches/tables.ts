import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
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
import type { TournamentRole } from '../../../core/roles.ts'
import type { Decision, MatchStatus, Outcome, Pairing, Section } from '../../../engine/types.ts'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { teams } from '../../teams/teams/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { brackets, divisions } from '../brackets/tables.ts'
import type { StoredGame, StoredSide, StoredTarget } from './types.ts'

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
    // No foreign keys: both matches are in the same bracket and are deleted with it in one statement.
    nextMatchGuid: uuid(),
    loserMatchGuid: uuid(),
    scheduledAt: instant(),
    calledAt: instant(),
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
    index('matches_rounds').on(table.bracketGuid, table.section, table.round),
    index('matches_order').on(table.tournamentGuid, table.createdAt, table.number, table.guid),
    index('matches_schedule').on(table.tournamentGuid, table.scheduledAt),
    // The indexes ignore the status, so that a change of the status alone does not update them.
    index('matches_calendar').on(shownFrom(table), table.guid).where(isScheduled(table)),
    index('matches_calendar_of_tournament')
      .on(table.tournamentGuid, shownFrom(table), table.guid)
      .where(isScheduled(table)),
    // For the matches of all tournaments, and for those of few tournaments.
    index('matches_by_status').on(table.status, timeOf(table), table.guid).where(hasTime(table)),
    index('matches_of_tournament_by_status')
      .on(table.tournamentGuid, table.status, timeOf(table), table.guid)
      .where(hasTime(table)),
    index('matches_of_team1').on(table.team1Guid),
    index('matches_of_team2').on(table.team2Guid),
    check(
      'matches_status_known',
      sql`${table.status} in ('locked', 'waiting', 'ready', 'running', 'completed', 'cancelled')`,
    ),
  ],
)

/** Queries and the index use the same expression, so that the planner uses the index. */
export function isScheduled({ scheduledAt }: Pick<Times, 'scheduledAt'>): SQL {
  return sql`${scheduledAt} is not null`
}

type Times = { readonly scheduledAt: AnyPgColumn | SQL; readonly startedAt: AnyPgColumn | SQL }

/**
 * The time by which the matches of all tournaments are listed: for which a match is scheduled or, where it is not, when
 * it began.
 */
export function timeOf({ scheduledAt, startedAt }: Times): SQL {
  return sql`coalesce(${scheduledAt}, ${startedAt})`
}

type Course = Times & Readonly<Record<'completedAt' | 'bestOf' | 'outcome', AnyPgColumn | SQL>>

/**
 * From when calendars show a match: from its start, if that is known. If only its result was told, and before its time,
 * from as long before that as is usual for its best-of; if it was not played, from its time. The same as `startOf` in the
 * rules of the calendar. (D64)
 */
export function shownFrom({ scheduledAt, startedAt, completedAt, bestOf, outcome }: Course): SQL {
  return sql`case
    when ${startedAt} is distinct from ${completedAt} and ${startedAt} is not null then ${startedAt}
    when ${completedAt} <= ${scheduledAt} and ${outcome} not in ('bye', 'walkover', 'double_forfeit')
      then (${completedAt} at time zone 'UTC' - make_interval(mins => 10 * ${bestOf})) at time zone 'UTC'
    else ${scheduledAt} end`
}

export function hasTime(times: Times): SQL {
  return sql`${timeOf(times)} is not null`
}

export const matchOfficials = pgTable(
  'match_officials',
  {
    matchGuid: uuid()
      .notNull()
      .references(() => matches.guid, { onDelete: 'cascade' }),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    role: text().$type<TournamentRole>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.matchGuid, table.userGuid, table.role] }),
    index('match_officials_of_user').on(table.userGuid),
  ],
)

/** The number of the last round of a section, which the name of a round is made of: one look into an index. */
export function lastRoundOf(bracket: SQL, section: SQL): SQL<number> {
  return sql<number>`(select l.round from ${matches} l where l.bracket_guid = ${bracket} and l.section = ${section}
    order by l.round desc limit 1)`
}
