import type pg from 'pg'
import type { NewEvent } from '../../core/events.ts'
import type { Tx } from '../db/database.ts'

/** The name identifies the prepared statement, here and in the database. */
export const append = {
  name: 'events.append',
  text: 'select emit_event($1, $2::uuid, $3::uuid, $4::uuid, $5::jsonb, $6::jsonb, $7::text[], $8::boolean)',
}

/**
 * Emits an event in the transaction of its change. The statement is sent with the commit: the lock that keeps events in
 * the order of commits is then held only during the commit, whatever the command still reads after this call.
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

/** The types of the events among the last statements of a commit. */
export function typesIn(last: readonly pg.QueryConfig[]): string[] {
  return last.filter(({ name }) => name?.startsWith(append.name)).map(({ values }) => values?.[0])
}
