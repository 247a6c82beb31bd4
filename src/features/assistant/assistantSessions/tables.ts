import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { matches } from '../../brackets/matches/tables.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import type { Phase, SessionError, SessionState, SessionStatus } from './types.ts'

export const assistantSessions = pgTable(
  'assistant_sessions',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    matchGuid: uuid()
      .notNull()
      .references(() => matches.guid, { onDelete: 'cascade' }),
    openedBy: uuid()
      .notNull()
      .references(() => users.guid),
    openedAt: createdAt(),
    closedAt: instant(),
    closeReason: text(),
    status: text().$type<SessionStatus>().notNull(),
    phase: text().$type<Phase>().notNull(),
    controllerGuid: uuid().references(() => users.guid, { onDelete: 'set null' }),
    controllerSince: instant(),
    controllerUntil: instant(),
    controllerToken: uuid(),
    state: jsonb().$type<SessionState>().notNull(),
    assistantMatch: text(),
    isMatchOurs: boolean().notNull().default(false),
    deleteMatch: boolean().notNull().default(false),
    autoAccept: boolean(),
    lastPacketAt: instant(),
    lastError: jsonb().$type<SessionError>(),
    revision: integer().notNull().default(0),
  },
  (table) => [
    // A match has at most one open session, even under concurrent requests.
    uniqueIndex('assistant_sessions_open_unique').on(table.matchGuid).where(sql`${table.closedAt} is null`),
    index('assistant_sessions_open').on(table.tournamentGuid).where(sql`${table.closedAt} is null`),
    index('assistant_sessions_match').on(table.matchGuid, table.openedAt),
    index('assistant_sessions_opener').on(table.openedBy),
    index('assistant_sessions_controller').on(table.controllerGuid),
    check('assistant_sessions_closed_when', sql`(${table.closedAt} is null) = (${table.status} <> 'closed')`),
  ],
)

/** Operators' commands to a session. The process that holds the session takes them in order, and answers each. (AS6) */
export const assistantCommands = pgTable(
  'assistant_commands',
  {
    guid: guid(),
    sessionGuid: uuid()
      .notNull()
      .references(() => assistantSessions.guid, { onDelete: 'cascade' }),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid, { onDelete: 'cascade' }),
    /** The sender's key, which recognises a repeated command. */
    key: text(),
    name: text().notNull(),
    body: jsonb().$type<object>().notNull(),
    at: createdAt(),
    takenAt: instant(),
    answeredAt: instant(),
    answer: jsonb().$type<object>(),
  },
  (table) => [
    uniqueIndex('assistant_commands_key_unique').on(table.userGuid, table.key).where(sql`${table.key} is not null`),
    index('assistant_commands_waiting').on(table.sessionGuid, table.at).where(sql`${table.answeredAt} is null`),
    index('assistant_commands_at').on(table.at),
    index('assistant_commands_user').on(table.userGuid, table.at),
  ],
)
