import { index, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, instant } from '../db/columns.ts'

/** Single-use keys to a connection, for clients that can set no header. */
export const connectionTickets = pgTable(
  'connection_tickets',
  {
    /** SHA-256 of the ticket. */
    digest: bytea().primaryKey(),
    userGuid: uuid().notNull(),
    /** Of the token that it stands for. */
    jti: uuid().notNull(),
    scopes: text().array().notNull(),
    /** What may be followed with it; null for anything. */
    topics: text().array(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index('connection_tickets_expires').on(table.expiresAt),
    index('connection_tickets_user').on(table.userGuid),
  ],
)

/** Processes that hold connections: those that were not seen for some time are gone, and their connections with them. */
export const connectionProcesses = pgTable('connection_processes', {
  guid: uuid().primaryKey(),
  seenAt: instant().notNull(),
})

/** Connections of users and of view tokens, wherever they are held. */
export const connections = pgTable(
  'connections',
  {
    guid: uuid().primaryKey(),
    processGuid: uuid()
      .notNull()
      .references(() => connectionProcesses.guid, { onDelete: 'cascade' }),
    /** Or of the view token, which has no user. */
    userGuid: uuid().notNull(),
    /** Of the application that the token was given to; null for first-party tokens. */
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
