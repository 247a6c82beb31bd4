import { sql } from 'drizzle-orm'
import { bigint, boolean, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'

/** All events, in the order of their commits. Only `emit` inserts them; `retention.ts` deletes them. */
export const eventLog = pgTable(
  'event_log',
  {
    seq: bigint({ mode: 'number' }).primaryKey(),
    at: instant().notNull().default(sql`clock_timestamp()`),
    /** The instant of the rehearsal in which it happened; null for all other events. (R2) */
    clockAt: instant().default(
      sql`case when coalesce(current_setting('downbeat.rehearsal', true), '') <> '' then local_clock() end`,
    ),
    /** Whether simulated players caused it; null for all other events. (R4) */
    simulated: boolean().default(
      sql`case when coalesce(current_setting('downbeat.simulated', true), '') = 'on' then true end`,
    ),
    type: text().notNull(),
    subject: uuid(),
    tournament: uuid(),
    actor: uuid(),
    before: jsonb(),
    after: jsonb(),
    /** Records, by GUID or name, whose cached answers this event makes stale. */
    touches: text().array().notNull(),
    /** Whether the event may reduce rights: requests in progress are then checked again. */
    rights: boolean().notNull().default(false),
  },
  (table) => [
    index('event_log_tournament').on(table.tournament, table.seq),
    index('event_log_outside').on(table.at).where(sql`${table.tournament} is null`),
    index('event_log_ended').on(table.at).where(sql`${table.type} = 'tournament.deleted'`),
    index('event_log_rights').on(table.seq).where(sql`${table.rights}`),
    // For the settings at the time of an event that platforms are notified of later.
    index('event_log_settings').on(table.subject, table.seq).where(sql`${table.type} = 'platform.settings_changed'`),
    index('event_log_actor').on(table.actor, table.seq).where(sql`${table.actor} is not null`),
    // For missed events of topics outside tournaments: every type of event sent there must be listed.
    index('event_log_told')
      .using('gin', table.touches)
      .with({ fastupdate: false })
      .where(
        sql`${table.type} in ('notice.created', 'notice.deleted', 'notification.created', 'notification.read',
          'invitation.created', 'invitation.declined', 'invitation.revoked', 'award.phase_changed', 'award.published',
          'platform.delivery_failed', 'platform.delivery_recovered')`,
      ),
    index('event_log_told_of_platform')
      .on(sql`(after->>'platformGuid')`, table.seq)
      .where(
        sql`${table.type} in ('visibility.requested', 'visibility.approved', 'visibility.rejected',
          'visibility.withdrawn')`,
      ),
  ],
)

/** The platform that an event names. */
export const platformOfEvent = sql`(${eventLog.after}->>'platformGuid')`

/**
 * The tags that an event touches, with the tags of its type in its tournament and in all tournaments, as `kindTag` and
 * `kindTagOfAll` name them.
 */
export const touchedTags = sql<readonly string[]>`case when ${eventLog.tournament} is null then ${eventLog.touches}
  else ${eventLog.touches} || array[${eventLog.tournament}::text || ' ' || ${eventLog.type}, '* ' || ${eventLog.type}] end`

/** The position of each follower in the log. */
export const followers = pgTable('followers', {
  name: text().primaryKey(),
  position: bigint({ mode: 'number' }).notNull(),
})

/** Events that a follower could not handle and has skipped. */
export const setAsideEvents = pgTable(
  'set_aside_events',
  {
    seq: bigint({ mode: 'number' })
      .notNull()
      .references(() => eventLog.seq, { onDelete: 'cascade' }),
    follower: text().notNull(),
    /** Kind of the error; the service's log has the details. */
    error: text().notNull(),
    at: instant().notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.seq, table.follower] })],
)
