import { sql } from 'drizzle-orm'
import { check, index, json, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt } from '../db/columns.ts'
import type { KeptProblem } from './types.ts'

/** The results of commands with a key, so that a repeated command gets the same response and does not run again. */
export const commandResults = pgTable(
  'command_results',
  {
    userGuid: uuid().notNull(),
    key: text().notNull(),
    /** SHA-256 of the request. */
    digest: bytea().notNull(),
    /** Set for a result; null for a refusal. */
    status: smallint(),
    headers: json().$type<Readonly<Record<string, string>>>(),
    /** Deflated (RFC 1951); null for a result without a body. */
    body: bytea(),
    problem: json().$type<KeptProblem>(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userGuid, table.key] }),
    index('command_results_created').on(table.createdAt),
    check('command_results_one', sql`${table.status} is null or ${table.problem} is null`),
  ],
)
