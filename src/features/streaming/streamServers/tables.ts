import { sql } from 'drizzle-orm'
import { boolean, check, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { UnreachableReason } from '../../../infra/clients/http.ts'
import type { ServerKind } from '../../../infra/clients/media-servers/types.ts'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import type { Ingest, Play, StoredControl } from './types.ts'

export const streamServers = pgTable(
  'stream_servers',
  {
    guid: guid(),
    name: text().notNull(),
    kind: text().$type<ServerKind>().notNull(),
    enabled: boolean().notNull().default(true),
    assignmentRequired: boolean().notNull().default(true),
    ingest: jsonb().$type<readonly Ingest[]>().notNull(),
    play: jsonb().$type<Play>().notNull(),
    control: jsonb().$type<StoredControl>(),
    sealedSecret: text().notNull(),
    sealedPreviousSecret: text(),
    previousSecretUntil: instant(),
    networks: text().array().notNull().default(sql`'{}'`),
    /** Saved at most once a minute. */
    lastSeenAt: instant(),
    controlError: text(),
    controlReason: text().$type<UnreachableReason>(),
    controlFailingSince: instant(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    uniqueIndex('stream_servers_name_unique').on(sql`lower(${table.name})`),
    check(
      'stream_servers_kind_known',
      sql`${table.kind} in ('mediamtx', 'ovenmediaengine', 'srs', 'nginx-rtmp', 'generic')`,
    ),
    check(
      'stream_servers_previous_until',
      sql`(${table.sealedPreviousSecret} is null) = (${table.previousSecretUntil} is null)`,
    ),
  ],
)
