import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import type { NoticeAudience, NoticeLevel } from './types.ts'

export const notices = pgTable(
  'notices',
  {
    guid: guid(),
    title: text().notNull(),
    content: text().notNull(),
    level: text().$type<NoticeLevel>().notNull(),
    link: text(),
    startsAt: instant().notNull(),
    endsAt: instant(),
    dismissible: boolean().notNull(),
    audience: text().$type<NoticeAudience>().notNull(),
    createdByGuid: uuid()
      .notNull()
      .references(() => users.guid),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    // Finds the few notices that have not ended among all that there ever were.
    index('notices_end').on(sql`coalesce(${table.endsAt}, 'infinity'::timestamptz)`),
    index('notices_newest').on(table.createdAt, table.guid),
    index('notices_creator').on(table.createdByGuid, table.createdAt),
    check('notices_level_known', sql`${table.level} in ('info', 'warning', 'critical')`),
    check('notices_audience_known', sql`${table.audience} in ('everyone', 'signed-in', 'staff')`),
    check('notices_end_after_start', sql`${table.endsAt} > ${table.startsAt}`),
  ],
)
