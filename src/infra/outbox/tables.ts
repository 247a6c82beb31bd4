import { bigint, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { guid, instant } from '../db/columns.ts'
import type { MessageStatus, OutboxKind } from './types.ts'

/** What would have left a rehearsal, by its clock. Slices of all areas write it, so it does not depend on any. (R3) */
export const outboxMessages = pgTable(
  'outbox_messages',
  {
    guid: guid(),
    /** Deleted with the rehearsal. */
    rehearsalGuid: uuid().notNull(),
    /** The order in which messages were recorded. */
    place: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    /** What the sender knows it by; null for none. */
    key: text(),
    kind: text().$type<OutboxKind>().notNull(),
    at: instant().notNull(),
    /** A setting or a service; empty for a person. */
    to: text().notNull(),
    /** Its recipient, if that is a person; the name is read when it is shown. */
    userGuid: uuid(),
    subject: text().notNull(),
    body: text().notNull(),
    status: text().$type<MessageStatus>().notNull(),
    attempts: jsonb().$type<readonly { readonly at: string; readonly status: number }[]>().notNull(),
    /** Null once it was sent or has failed, or if its sender keeps the time. */
    nextAttemptAt: instant(),
    until: instant(),
  },
  (table) => [
    index('outbox_messages_of_rehearsal').on(table.rehearsalGuid, table.at, table.kind, table.place),
    uniqueIndex('outbox_messages_key').on(table.rehearsalGuid, table.key),
  ],
)
