import { sql } from 'drizzle-orm'
import { customType, index, pgTable, primaryKey, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, guid } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import { teams } from '../teams/tables.ts'
import type { FieldResponse } from './types.ts'

/** Drizzle's own `jsonb` parses what the driver has parsed already, and so takes the text "true" for a boolean. */
const response = customType<{ data: FieldResponse; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (value) => value as FieldResponse,
})

/** Answers to a tournament's additional fields: one for a team, or one for each player. */
export const fieldAnswers = pgTable(
  'field_answers',
  {
    guid: guid(),
    teamGuid: uuid()
      .notNull()
      .references(() => teams.guid, { onDelete: 'cascade' }),
    fieldGuid: uuid().notNull(),
    /** Set where the field's subject is `player`. */
    userGuid: uuid().references(() => users.guid),
    response: response().notNull(),
    answeredAt: createdAt(),
  },
  (table) => [
    uniqueIndex('field_answers_one').on(
      table.teamGuid,
      table.fieldGuid,
      sql`coalesce(${table.userGuid}, '00000000-0000-0000-0000-000000000000')`,
    ),
    index('field_answers_of_user').on(table.userGuid).where(sql`${table.userGuid} is not null`),
  ],
)

/** Who was a member of a team when it was registered: what "played" counts. Kept when the team unregisters. (D48) */
export const appearances = pgTable(
  'appearances',
  {
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    firstAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userGuid, table.tournamentGuid] }),
    index('appearances_of_tournament').on(table.tournamentGuid),
  ],
)
