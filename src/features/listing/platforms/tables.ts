import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, guid } from '../../../infra/db/columns.ts'
import { users } from '../../people/users/tables.ts'
import type { WebhookEvent } from './types.ts'

/** Communities that tournaments can ask to be listed on. One of them is the system platform. */
export const platforms = pgTable(
  'platforms',
  {
    guid: guid(),
    contextId: text().notNull(),
    name: text().notNull(),
    description: text().notNull().default(''),
    imageUrl: text().notNull().default(''),
    websiteUrl: text(),
    isSystem: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    uniqueIndex('platforms_context_id').on(table.contextId),
    uniqueIndex('platforms_one_system').on(table.isSystem).where(sql`${table.isSystem}`),
  ],
)

export const platformMembers = pgTable(
  'platform_members',
  {
    platformGuid: uuid()
      .notNull()
      .references(() => platforms.guid, { onDelete: 'cascade' }),
    userGuid: uuid()
      .notNull()
      .references(() => users.guid),
    role: text({ enum: ['admin', 'reviewer'] }).notNull(),
    addedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.platformGuid, table.userGuid] }),
    index('platform_members_user').on(table.userGuid),
    check('platform_members_role_known', sql`${table.role} in ('admin', 'reviewer')`),
  ],
)

/** Private settings of a platform; a platform without a row has default settings. */
export const platformSettings = pgTable('platform_settings', {
  platformGuid: uuid()
    .primaryKey()
    .references(() => platforms.guid, { onDelete: 'cascade' }),
  chatWebhookUrl: text(),
  customWebhookUrl: text(),
  /** The key that signs deliveries; never returned. */
  customWebhookSecret: text(),
  webhookEvents: text().array().$type<WebhookEvent[]>().notNull().default(sql`'{}'`),
})
