import type pg from 'pg'
import type { NewEvent } from '../../core/events.ts'
import type { Tx } from '../db/database.ts'

/** By its name prepared statements are known, here and to the database. */
export const append = {
  name: 'events.append',
  text: 'select emit_event($1, $2::uuid, $3::uuid, $4::uuid, $5::jsonb, $6::jsonb, $7::text[], $8::boolean)',
}

/**
 * Writes an event in the transaction of its change. It goes out with the commit: the lock that keeps events in the order
 * of commits is held no longer than that, whatever the command still reads after this.
 */
export function emit(tx: Tx, event: NewEvent): void {
  const { type, subject, tournament = null, actor, before, after } = event
  const rights = 'rights' in event
  const touches = [subject, tournament, ...(event.touches ?? [])].filter((tag) => tag !== null)
  const [was, is] = [before, after].map((members) => (members == null ? null : JSON.stringify(members)))
  tx.last.push({
    ...append,
    values: [type, subject, tournament, actor, was, is, [...new Set(touches)], rights],
  })
}

/** Types of the events among the statements that went with a commit. */
export function typesIn(last: readonly pg.QueryConfig[]): string[] {
  return last.filter(({ name }) => name?.startsWith(append.name)).map(({ values }) => values?.[0])
}
