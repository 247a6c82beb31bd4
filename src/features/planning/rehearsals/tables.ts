import { sql } from 'drizzle-orm'
import { boolean, doublePrecision, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant } from '../../../infra/db/columns.ts'
import type { Faults } from '../../../infra/outbox/types.ts'
import { users } from '../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import type { RehearsalSource } from './types.ts'

/** The data of a rehearsal in addition to its tournament. Which one it rehearses is in the tournament's row. (R1) */
export const rehearsals = pgTable(
  'rehearsals',
  {
    guid: uuid()
      .primaryKey()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    name: text().notNull(),
    isReset: boolean().notNull(),
    /** What it was made of. */
    source: text().$type<RehearsalSource>().notNull().default('now'),
    /** What all draws come from. */
    seed: text().notNull(),
    /** No foreign keys: teams that are deleted later do not appear either. */
    noShows: uuid().array().$type<readonly string[]>().notNull(),
    /**
     * The teams that the qualifier or their ranks tell apart, the strongest first, as it was when the rehearsal was made.
     * (R4)
     */
    strongest: uuid().array().$type<readonly string[]>().notNull().default([]),
    createdBy: uuid()
      .notNull()
      .references(() => users.guid),
    createdAt: createdAt(),
    /** Its clock shows `base` while it is paused, else `base` and `rate` times what has passed since `at`. (R2) */
    base: instant().notNull().default(sql`now()`),
    /** By the real clock. */
    at: instant().notNull().default(sql`now()`),
    rate: doublePrecision().notNull().default(1),
    isPaused: boolean().notNull().default(true),
    /** Where its clock began. */
    beginsAt: instant().notNull().default(sql`now()`),
    /** Everything that was due up to this instant of its clock has run. */
    ranTo: instant().notNull().default(sql`now()`),
    /** How the receivers of what is recorded answer. (R3) */
    faults: jsonb().$type<Faults>().notNull().default({}),
  },
  (table) => [index('rehearsals_created_by').on(table.createdBy, table.createdAt)],
)
