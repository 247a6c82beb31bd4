import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, guid, instant } from '../../infra/db/columns.ts'
import { platforms } from '../platforms/tables.ts'
import { tournaments } from '../tournaments/tables.ts'
import { users } from '../users/tables.ts'
import type { RequestStatus } from './types.ts'

/** One per tournament and platform, whatever became of it. */
export const visibilityRequests = pgTable(
  'visibility_requests',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    platformGuid: uuid()
      .notNull()
      .references(() => platforms.guid, { onDelete: 'cascade' }),
    status: text().$type<RequestStatus>().notNull(),
    reason: text(),
    requestedAt: createdAt(),
    decidedAt: instant(),
    decidedByGuid: uuid().references(() => users.guid),
  },
  (table) => [
    uniqueIndex('visibility_requests_one').on(table.tournamentGuid, table.platformGuid),
    index('visibility_requests_decided_by')
      .on(table.decidedByGuid, table.decidedAt)
      .where(sql`${table.decidedByGuid} is not null`),
    index('visibility_requests_queue').on(table.platformGuid, table.status, table.requestedAt),
    check(
      'visibility_requests_status_known',
      sql`${table.status} in ('pending', 'approved', 'rejected', 'blocked', 'withdrawn')`,
    ),
  ],
)
