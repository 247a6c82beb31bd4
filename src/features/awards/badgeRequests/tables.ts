import { sql } from 'drizzle-orm'
import { check, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import type { RequestedBadge, RequestStatus } from './types.ts'

/** Organisers' requests for badges. (badges: Records) */
export const badgeRequests = pgTable(
  'badge_requests',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    status: text().$type<RequestStatus>().notNull(),
    message: text().notNull(),
    badges: jsonb().$type<readonly RequestedBadge[]>().notNull(),
    reason: text(),
    createdBy: uuid().references(() => users.guid, { onDelete: 'set null' }),
    reviewedBy: uuid().references(() => users.guid, { onDelete: 'set null' }),
    createdAt: createdAt(),
    decidedAt: instant(),
    updatedAt: createdAt(),
  },
  (table) => [
    uniqueIndex('badge_requests_pending_unique').on(table.tournamentGuid).where(sql`${table.status} = 'pending'`),
    index('badge_requests_tournament').on(table.tournamentGuid, table.createdAt, table.guid),
    // For the list of pending requests, oldest first.
    index('badge_requests_waiting').on(sql`(${table.status} <> 'pending')`, table.createdAt, table.guid),
    index('badge_requests_created_by').on(table.createdBy),
    index('badge_requests_reviewed_by').on(table.reviewedBy),
    // For finding the requests that name a user, at the export and the deletion of an account.
    index('badge_requests_recipients').using('gin', sql`${table.badges} jsonb_path_ops`),
    check('badge_requests_status_known', sql`${table.status} in ('pending', 'approved', 'rejected', 'withdrawn')`),
  ],
)
