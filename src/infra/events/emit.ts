import type { Tx } from '../db/database.ts'

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

const append = 'select emit_event($1, $2::uuid, $3::uuid, $4::uuid, $5::jsonb, $6::jsonb, $7::text[])'

/**
 * Writes an event in the transaction of its change. It goes out with the commit: the lock that keeps events in the order
 * of commits is held no longer than that, whatever the command still reads after this.
 */
export function emit(tx: Tx, event: Event): void {
  const { type, subject, tournament = null, actor, before, after } = event
  const touches = [subject, tournament, ...(event.touches ?? [])].filter((tag) => tag !== null)
  const [was, is] = [before, after].map((members) => (members == null ? null : JSON.stringify(members)))
  tx.last.push({
    name: 'events.append',
    text: append,
    values: [type, subject, tournament, actor, was, is, [...new Set(touches)]],
  })
}
