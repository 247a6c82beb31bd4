import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Entry, Kind } from '../../../engine/flows/rows.ts'
import { bytea, createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { matches } from '../../brackets/matches/tables.ts'
import { maps } from '../../maps/catalogue/tables.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { flows } from '../flows/tables.ts'
import type { StoredStatus } from './types.ts'

/** Sessions: the columns computed from their logs, for queries, and the seeds of their draws. */
export const flowSessions = pgTable(
  'flow_sessions',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    matchGuid: uuid().references(() => matches.guid, { onDelete: 'cascade' }),
    isCurrent: boolean().notNull().default(true),
    isPublic: boolean().notNull(),
    status: text().$type<StoredStatus>().notNull(),
    position: integer().notNull(),
    shownPosition: integer().notNull(),
    shownStatus: text().$type<StoredStatus>(),
    /** 32 random bytes, secret until the session is over. */
    seed: bytea().notNull(),
    /** The GUID that draws are made with; null for its own. No foreign key: that session may be on another service. */
    drawnAs: uuid(),
    teamGuids: uuid().array().$type<readonly string[]>().notNull().default(sql`'{}'`),
    speakers: jsonb().$type<readonly (readonly string[])[]>().notNull().default([]),
    flowGuid: uuid().references(() => flows.guid, { onDelete: 'set null' }),
    flowName: text().notNull(),
    /**
     * No foreign key: after a draft pool is deleted, the session stays visible only to the users who could read the
     * draft.
     */
    poolGuid: uuid(),
    poolName: text(),
    viewDelaySeconds: integer().notNull().default(0),
    dueAt: instant(),
    lapsesAt: instant(),
    clockNumber: integer(),
    isOverdue: boolean().notNull().default(false),
    showsAt: instant(),
    begunByGuid: uuid().references(() => users.guid),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    endedAt: instant(),
    expiresAt: instant(),
  },
  (table) => [
    uniqueIndex('flow_sessions_current').on(table.matchGuid).where(sql`${table.isCurrent}`),
    index('flow_sessions_of_match').on(table.matchGuid, table.createdAt, table.guid),
    index('flow_sessions_listed').on(table.tournamentGuid, table.createdAt, table.guid),
    index('flow_sessions_of_flow').on(table.flowGuid),
    index('flow_sessions_begun_by').on(table.begunByGuid, table.createdAt),
    index('flow_sessions_due').on(table.dueAt).where(sql`${table.dueAt} is not null and not ${table.isOverdue}`),
    index('flow_sessions_lapses').on(table.lapsesAt).where(sql`${table.lapsesAt} is not null`),
    index('flow_sessions_shows').on(table.showsAt).where(sql`${table.showsAt} is not null`),
    index('flow_sessions_expires').on(table.expiresAt).where(sql`${table.expiresAt} is not null`),
    check('flow_sessions_status_known', sql`${table.status} in ('running', 'paused', 'over', 'void')`),
    check('flow_sessions_shown_known', sql`${table.shownStatus} in ('running', 'paused', 'over', 'void')`),
    check('flow_sessions_shown', sql`${table.shownPosition} between 0 and ${table.position}`),
    check('flow_sessions_shown_first', sql`(${table.shownPosition} = 0) = (${table.shownStatus} is null)`),
    check('flow_sessions_seed', sql`length(${table.seed}) = 32`),
    check('flow_sessions_drawn_as', sql`${table.drawnAs} <> ${table.guid}`),
    check('flow_sessions_view_delay', sql`${table.viewDelaySeconds} between 0 and 900`),
  ],
)

/** The logs of sessions. Rows are only inserted; the only later update marks a row as undone. */
export const flowRows = pgTable(
  'flow_rows',
  {
    sessionGuid: uuid()
      .notNull()
      .references(() => flowSessions.guid, { onDelete: 'cascade' }),
    /** From 1, without gaps. */
    position: integer().notNull(),
    /** The session's tournament, kept in each row so that reading a user's rows needs no join. */
    tournamentGuid: uuid().notNull(),
    kind: text().$type<Kind>().notNull(),
    step: text(),
    seat: integer(),
    byGuid: uuid().references(() => users.guid),
    onBehalf: boolean().notNull(),
    /** GUID of the map in the pool that the session began with. */
    mapGuid: uuid(),
    data: jsonb().$type<Entry['data']>().notNull(),
    at: instant().notNull(),
    undoneBy: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.sessionGuid, table.position] }),
    index('flow_rows_by').on(table.byGuid, table.at).where(sql`${table.byGuid} is not null`),
    check('flow_rows_position', sql`${table.position} > 0`),
  ],
)

/** Map statistics of sessions that are over. */
export const flowMapResults = pgTable(
  'flow_map_results',
  {
    sessionGuid: uuid()
      .notNull()
      .references(() => flowSessions.guid, { onDelete: 'cascade' }),
    /** No foreign key: a played map stays although its pool may change or be deleted. */
    poolMapGuid: uuid().notNull(),
    mapGuid: uuid()
      .notNull()
      .references(() => maps.guid),
    picked: integer().notNull(),
    banned: integer().notNull(),
    protected: integer().notNull(),
    tiebreaker: integer().notNull(),
    played: integer().notNull(),
    wonByPicker: integer().notNull(),
    replays: integer().notNull(),
    scores: integer().notNull(),
    accuracySum: doublePrecision().notNull(),
    accuracies: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sessionGuid, table.poolMapGuid] }),
    index('flow_map_results_of_map').on(table.mapGuid),
    index('flow_map_results_of_pool_map').on(table.poolMapGuid),
  ],
)
