import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { Schedule } from '../../../engine/scheduling/types.ts'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import type { Wish } from './types.ts'

export const scheduleProposals = pgTable(
  'schedule_proposals',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    createdByGuid: uuid()
      .notNull()
      .references(() => users.guid),
    wish: jsonb().$type<Wish>().notNull(),
    schedule: jsonb().$type<Schedule>().notNull(),
    /** The digest of the matches and answers from which the proposal was calculated. */
    digest: text().notNull(),
    createdAt: createdAt(),
    appliedAt: instant(),
  },
  (table) => [
    index('schedule_proposals_of_tournament').on(table.tournamentGuid, table.createdAt),
    index('schedule_proposals_by').on(table.createdByGuid, table.createdAt),
  ],
)
