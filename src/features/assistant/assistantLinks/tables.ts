import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, instant } from '../../../infra/db/columns.ts'
import { pools } from '../../maps/pools/tables.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import type { LinkDefaults, LinkError, LinkState, TokenKind } from './types.ts'

export const assistantLinks = pgTable(
  'assistant_links',
  {
    tournamentGuid: uuid()
      .primaryKey()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    host: text().notNull(),
    port: integer().notNull(),
    tls: boolean().notNull(),
    certificate: text().notNull(),
    assistantGuid: text().notNull(),
    assistantName: text().notNull(),
    tokenKind: text().$type<TokenKind>().notNull(),
    sealedToken: text(),
    sealedPassword: text(),
    actsAs: uuid().references(() => users.guid, { onDelete: 'set null' }),
    versionCode: integer(),
    qualifierEvents: text().array().notNull().default([]),
    bannedMods: text().array().notNull().default([]),
    sealedHookSecret: text(),
    enabled: boolean().notNull(),
    allowModify: boolean().notNull(),
    defaults: jsonb().$type<LinkDefaults>().notNull(),
    state: text().$type<LinkState>().notNull().default('untested'),
    lastConnectedAt: instant(),
    serverVersion: integer(),
    permissions: text().array().notNull().default([]),
    lastError: jsonb().$type<LinkError>(),
    updatedAt: createdAt(),
  },
  (table) => [
    check('assistant_links_port', sql`${table.port} between 1 and 65535`),
    check('assistant_links_token_kind_known', sql`${table.tokenKind} in ('own', 'bot', 'readonly')`),
    check('assistant_links_state_known', sql`${table.state} in ('untested', 'ok', 'failing')`),
  ],
)

/** The number of tokens for others' servers that a user got on a day. */
export const assistantTokenDays = pgTable(
  'assistant_token_days',
  {
    userGuid: uuid()
      .notNull()
      .references(() => users.guid, { onDelete: 'cascade' }),
    day: date({ mode: 'string' }).notNull(),
    issued: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userGuid, table.day] })],
)

/** The assistant's pool that each pool was pushed to. (AS25) */
export const assistantPools = pgTable(
  'assistant_pools',
  {
    tournamentGuid: uuid()
      .notNull()
      .references(() => assistantLinks.tournamentGuid, { onDelete: 'cascade' }),
    poolGuid: uuid()
      .notNull()
      .references(() => pools.guid, { onDelete: 'cascade' }),
    /** GUID at the assistant. */
    assistantPool: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tournamentGuid, table.poolGuid] }),
    index('assistant_pools_pool').on(table.poolGuid),
  ],
)

/** Deliveries of the assistant's webhooks that were handled, so that a repeated one counts once. (AS26) */
export const assistantDeliveries = pgTable(
  'assistant_deliveries',
  {
    tournamentGuid: uuid()
      .notNull()
      .references(() => assistantLinks.tournamentGuid, { onDelete: 'cascade' }),
    id: text().notNull(),
    at: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.tournamentGuid, table.id] }), index('assistant_deliveries_at').on(table.at)],
)
