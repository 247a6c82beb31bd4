import { sql } from 'drizzle-orm'
import { statement, type Tx } from '../db/database.ts'

/** What happened, as it goes into the log. */
export interface Event {
  /** Past tense: `team.registered`. */
  readonly type: string
  /** GUID of the record that changed. */
  readonly subject: string | null
  /** GUID of the tournament in which it happened, whose staff may read it in the audit list. */
  readonly tournament?: string | null
  /** GUID of the user who did it; null for the service itself. */
  readonly actor: string | null
  /** Changed members alone. Never secrets, and nothing that the tournament's staff may not see. */
  readonly before?: Readonly<Record<string, unknown>> | null
  readonly after?: Readonly<Record<string, unknown>> | null
  /** Further records, by GUID or name, whose remembered answers are now stale; subject and tournament always are. */
  readonly touches?: readonly string[]
}

const append = statement('events.append', (orm) =>
  orm
    .select({
      seq: sql<string>`emit_event(${sql.placeholder('type')}, ${sql.placeholder('subject')}::uuid, ${sql.placeholder('tournament')}::uuid, ${sql.placeholder('actor')}::uuid, ${sql.placeholder('before')}::jsonb, ${sql.placeholder('after')}::jsonb, ${sql.placeholder('touches')}::text[])`,
    })
    .from(sql`(values (1)) as one`),
)

/**
 * Writes an event in the transaction of its change. The last statement of a command: from here to the commit, every
 * other writer's `emit` waits.
 */
export async function emit(tx: Tx, event: Event): Promise<void> {
  const touches = [event.subject, event.tournament, ...(event.touches ?? [])].filter((tag) => tag != null)
  await append(tx, {
    type: event.type,
    subject: event.subject,
    tournament: event.tournament ?? null,
    actor: event.actor,
    before: event.before == null ? null : JSON.stringify(event.before),
    after: event.after == null ? null : JSON.stringify(event.after),
    touches: [...new Set(touches)],
  })
}
