import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, primaryKey, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { matches } from '../../brackets/matches/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'
import type { QueueStatus } from './types.ts'

/** One row for each tournament that has ever had channels. It is the lock for changes of channels and queues. */
export const channelLists = pgTable('channel_lists', {
  tournamentGuid: uuid()
    .primaryKey()
    .references(() => tournaments.guid, { onDelete: 'cascade' }),
  revision: integer().notNull().default(0),
})

export const channels = pgTable(
  'channels',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    name: text().notNull(),
    url: text().notNull(),
    delaySeconds: integer().notNull().default(0),
    position: smallint().notNull(),
    queueRevision: integer().notNull().default(0),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    index('channels_tournament').on(table.tournamentGuid, table.position),
    check('channels_delay', sql`${table.delaySeconds} between 0 and 1800`),
  ],
)

export const channelEntries = pgTable(
  'channel_entries',
  {
    channelGuid: uuid()
      .notNull()
      .references(() => channels.guid, { onDelete: 'cascade' }),
    matchGuid: uuid()
      .notNull()
      .references(() => matches.guid, { onDelete: 'cascade' }),
    position: smallint().notNull(),
    status: text().$type<QueueStatus>().notNull(),
    plannedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.channelGuid, table.matchGuid] }),
    index('channel_entries_match').on(table.matchGuid),
    uniqueIndex('channel_entries_one_live').on(table.channelGuid).where(sql`${table.status} = 'live'`),
    uniqueIndex('channel_entries_one_next').on(table.channelGuid).where(sql`${table.status} = 'next'`),
    check('channel_entries_status_known', sql`${table.status} in ('queued', 'next', 'live', 'done')`),
  ],
)
