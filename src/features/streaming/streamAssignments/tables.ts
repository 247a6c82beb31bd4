import { sql } from 'drizzle-orm'
import { check, index, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { matches } from '../../brackets/matches/tables.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import type { StreamRole } from './types.ts'

export const streamAssignments = pgTable(
  'stream_assignments',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    matchGuid: uuid().references(() => matches.guid, { onDelete: 'cascade' }),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    role: text().$type<StreamRole>().notNull(),
    side: smallint().$type<1 | 2>(),
    slot: smallint().notNull(),
    startsAt: instant().notNull(),
    endsAt: instant().notNull(),
    cancelledAt: instant(),
    note: text(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    index('stream_assignments_tournament').on(table.tournamentGuid, table.startsAt, table.guid),
    index('stream_assignments_match').on(table.matchGuid).where(sql`${table.matchGuid} is not null`),
    index('stream_assignments_user').on(table.userGuid, table.endsAt),
    check('stream_assignments_role_known', sql`${table.role} in ('player', 'caster', 'observer')`),
    check('stream_assignments_side_known', sql`${table.side} in (1, 2)`),
    check('stream_assignments_slot_known', sql`${table.slot} between 1 and 6`),
    check('stream_assignments_end_after_start', sql`${table.endsAt} > ${table.startsAt}`),
  ],
)
