import type { AnyEvent } from '../../core/events.ts'
import type { eventLog } from './tables.ts'

type Row = typeof eventLog.$inferSelect

/** An event as the log holds it. `at` is the real instant. */
export type LoggedEvent<E extends AnyEvent = AnyEvent> = E &
  Pick<Row, 'seq' | 'at'> &
  Partial<Pick<Row, 'clockAt' | 'simulated'>>

/**
 * Types a row as its event, without checks: only `emit` writes rows, and accepts only events. Rows of an earlier
 * version may have an unknown type, which readers ignore like any type that they do not handle. A member that was added
 * to an event later is declared as optional for as long as the log holds events without it.
 */
export function asLogged(row: Omit<Row, 'touches' | 'rights' | 'clockAt' | 'simulated'>): LoggedEvent {
  return row as LoggedEvent
}
