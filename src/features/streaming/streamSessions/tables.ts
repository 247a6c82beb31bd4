import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, real, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { StreamProtocol } from '../../../infra/clients/media-servers/types.ts'
import { bytea, createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { streamAssignments } from '../streamAssignments/tables.ts'
import { streamServers } from '../streamServers/tables.ts'
import type { CutStatus, EndReason } from './types.ts'

export const streamSessions = pgTable(
  'stream_sessions',
  {
    guid: guid(),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    serverGuid: uuid()
      .notNull()
      .references(() => streamServers.guid, { onDelete: 'cascade' }),
    protocol: text().$type<StreamProtocol>().notNull(),
    path: text().notNull(),
    assignmentGuid: uuid().references(() => streamAssignments.guid, { onDelete: 'set null' }),
    tournamentGuid: uuid().references(() => tournaments.guid, { onDelete: 'cascade' }),
    test: boolean().notNull(),
    keyGuid: uuid(),
    keyDigest: bytea(),
    clientId: text(),
    startedAt: createdAt(),
    endsBy: instant(),
    endedAt: instant(),
    endReason: text().$type<EndReason>(),
    cut: text().$type<CutStatus>(),
    address: text(),
    /** How many times in a row its server did not list it. */
    missed: integer().notNull().default(0),
  },
  (table) => [
    // Of any number of concurrent publications, only one can be live.
    uniqueIndex('stream_sessions_live_unique')
      .on(table.userGuid, table.serverGuid)
      .where(sql`${table.endedAt} is null`),
    index('stream_sessions_live_of_server').on(table.serverGuid).where(sql`${table.endedAt} is null`),
    index('stream_sessions_live_by_key').on(table.keyGuid).where(sql`${table.endedAt} is null`),
    index('stream_sessions_ending').on(table.endsBy).where(sql`${table.endedAt} is null`),
    index('stream_sessions_tournament').on(table.tournamentGuid, table.startedAt, table.guid),
    index('stream_sessions_assignment').on(table.assignmentGuid).where(sql`${table.endedAt} is null`),
    index('stream_sessions_user').on(table.userGuid, table.startedAt),
    index('stream_sessions_listed').on(table.startedAt, table.guid),
    index('stream_sessions_address').on(table.startedAt).where(sql`${table.address} is not null`),
    check('stream_sessions_ended_when', sql`(${table.endedAt} is null) = (${table.endReason} is null)`),
    check('stream_sessions_cut_known', sql`${table.cut} in ('requested', 'confirmed', 'failed')`),
  ],
)

/**
 * The last report of each live stream's quality. The table is unlogged: it is empty after a crash and filled again
 * within seconds.
 */
export const streamHealth = pgTable('stream_health', {
  sessionGuid: uuid()
    .primaryKey()
    .references(() => streamSessions.guid, { onDelete: 'cascade' }),
  at: instant().notNull(),
  width: integer(),
  height: integer(),
  fps: real(),
  videoKbps: real(),
  audioKbps: real(),
  readers: integer(),
})
