import { sql } from 'drizzle-orm'
import { bigint, check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { platforms } from '../platforms/tables.ts'
import type { Decision, RequestStatus } from './types.ts'

/** One request for each tournament and platform, with any status. */
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
    // For the latest requests of all platforms.
    index('visibility_requests_latest').on(table.requestedAt, table.guid),
    // Read backwards, newest first. Many requests have the same time, since a new platform gets all of them at once.
    index('visibility_requests_order').on(table.platformGuid, table.requestedAt, table.guid),
    index('visibility_requests_queue').on(table.platformGuid, table.status, table.requestedAt, table.guid),
    check(
      'visibility_requests_status_known',
      sql`${table.status} in ('pending', 'approved', 'rejected', 'blocked', 'withdrawn')`,
    ),
  ],
)

/** All decisions on requests, including those that were replaced later. */
export const visibilityDecisions = pgTable(
  'visibility_decisions',
  {
    /** The order in which the decisions on a request were saved; their times may be in another order. */
    number: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    requestGuid: uuid()
      .notNull()
      .references(() => visibilityRequests.guid, { onDelete: 'cascade' }),
    decision: text().$type<Decision>().notNull(),
    reason: text(),
    decidedAt: instant().notNull(),
    decidedByGuid: uuid()
      .notNull()
      .references(() => users.guid),
  },
  (table) => [
    index('visibility_decisions_request').on(table.requestGuid, table.number),
    index('visibility_decisions_decided_by').on(table.decidedByGuid, table.number),
    check('visibility_decisions_known', sql`${table.decision} in ('approved', 'rejected', 'blocked')`),
  ],
)
