import type { AnyEvent } from '../../core/events.ts'
import type { eventLog } from './tables.ts'

type Row = typeof eventLog.$inferSelect

/** An event as the log holds it. */
export type LoggedEvent<E extends AnyEvent = AnyEvent> = E & Pick<Row, 'seq' | 'at'>

/**
 * Reads a row as the event that it is. Nothing is checked: `emit` alone writes rows, and takes nothing but events. Rows
 * that an earlier version wrote may have a name that is not known any more, which is like any name that a reader has no
 * use for. A member that an event came to have later is declared as one that may be absent for as long as the log holds
 * events without it.
 */
export function asLogged(row: Omit<Row, 'touches' | 'rights'>): LoggedEvent {
  return row as LoggedEvent
}
