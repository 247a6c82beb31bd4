import { index, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, instant } from '../db/columns.ts'

/** Single-use tickets for a connection, for clients that cannot set a header. */
export const connectionTickets = pgTable(
  'connection_tickets',
  {
    /** SHA-256 of the ticket. */
    digest: bytea().primaryKey(),
    userGuid: uuid().notNull(),
    /** `jti` of the token that the ticket was created with. */
    jti: uuid().notNull(),
    scopes: text().array().notNull(),
    /** The topics that may be followed with it; null for all. */
    topics: text().array(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index('connection_tickets_expires').on(table.expiresAt),
    index('connection_tickets_user').on(table.userGuid),
  ],
)

/** Processes that hold connections: a process that was not seen for some time is gone, and its connections with it. */
export const connectionProcesses = pgTable('connection_processes', {
  guid: uuid().primaryKey(),
  seenAt: instant().notNull(),
})

/** Connections of users and of view tokens, in all processes. */
export const connections = pgTable(
  'connections',
  {
    guid: uuid().primaryKey(),
    processGuid: uuid()
      .notNull()
      .references(() => connectionProcesses.guid, { onDelete: 'cascade' }),
    /** GUID of the user, or of the view token, which has no user. */
    userGuid: uuid().notNull(),
    /** The application that the token was given to; null for first-party tokens. */
    clientId: text(),
    door: text().notNull(),
    address: text().notNull(),
    connectedAt: instant().notNull(),
    subscriptions: smallint().notNull(),
  },
  (table) => [
    index('connections_process').on(table.processGuid),
    index('connections_user').on(table.userGuid),
    index('connections_client').on(table.clientId),
  ],
)
