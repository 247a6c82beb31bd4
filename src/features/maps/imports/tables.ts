import { sql } from 'drizzle-orm'
import { boolean, check, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { pools } from '../pools/tables.ts'
import type { ImportRequest, ImportRow, ImportStatus } from './types.ts'

export const imports = pgTable(
  'imports',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    poolGuid: uuid()
      .notNull()
      .references(() => pools.guid, { onDelete: 'cascade' }),
    /** The requested content, as far as the job needs it. */
    request: jsonb().$type<ImportRequest>().notNull(),
    dryRun: boolean().notNull(),
    status: text().$type<ImportStatus>().notNull().default('running'),
    rows: jsonb().$type<readonly ImportRow[]>().notNull().default([]),
    /** Reason why the whole import failed. */
    reason: text(),
    startedByGuid: uuid()
      .notNull()
      .references(() => users.guid),
    createdAt: createdAt(),
    finishedAt: instant(),
  },
  (table) => [
    index('imports_newest').on(table.poolGuid, table.createdAt, table.guid),
    index('imports_running').on(table.tournamentGuid).where(sql`${table.status} = 'running'`),
    index('imports_by_age').on(table.createdAt),
    index('imports_by_user').on(table.startedByGuid, table.createdAt, table.guid),
    check('imports_status_known', sql`${table.status} in ('running', 'done', 'failed')`),
  ],
)
