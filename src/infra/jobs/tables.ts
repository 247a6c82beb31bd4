import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'

/** The lease of each work that one process at a time does, by the name of the work. (RT35) */
export const leases = pgTable('leases', {
  name: text().primaryKey(),
  /** Names the process. */
  holder: text().notNull(),
  until: instant().notNull(),
})
