import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { tournaments } from '../tournaments/tables.ts'
import type { AnnouncementKind } from '../tournaments/types.ts'
import type { Detail } from './types.ts'

/** The messages that told a chat what happened. The delivery of each has the same GUID. */
export const announcements = pgTable(
  'announcements',
  {
    guid: uuid().primaryKey(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    kind: text().$type<AnnouncementKind>().notNull(),
    channel: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('announcements_of_tournament').on(table.tournamentGuid),
    index('announcements_age').on(table.createdAt),
  ],
)

/** The announcement of each thing that happens, kept until some weeks after it was sent. */
export const announcementMatters = pgTable(
  'announcement_matters',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    kind: text().$type<AnnouncementKind>().notNull(),
    key: text().notNull(),
    /** The match, team, bracket, pool or stream; never a user. */
    subjectGuid: uuid('record_guid').notNull(),
    /** Not a foreign key: the announcement of a match stays when its bracket is generated anew. */
    matchGuid: uuid(),
    detail: jsonb().$type<Detail>().notNull().default({}),
    isDelayed: boolean().notNull(),
    happenedAt: instant().notNull(),
    dueAt: instant(),
    /** When its subject changed later, before it was said: once it is, it is looked at again. */
    changedAt: instant(),
    announcementGuid: uuid().references(() => announcements.guid, { onDelete: 'cascade' }),
  },
  (table) => [
    uniqueIndex('announcement_matters_key').on(table.tournamentGuid, table.kind, table.key),
    index('announcement_matters_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index('announcement_matters_of_subject').on(table.subjectGuid, table.kind),
    index('announcement_matters_of_announcement').on(table.announcementGuid),
  ],
)
