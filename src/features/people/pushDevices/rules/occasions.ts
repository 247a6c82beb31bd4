import type { EventOf } from '../../../../core/events.ts'
import type { LoggedEvent } from '../../../../infra/events/logged.ts'
import type { SessionRow } from '../store/recipients.ts'
import type { Occasion } from '../types.ts'

export type SessionEvent = LoggedEvent<EventOf<'flow.row' | 'private_session.changed' | 'draft_session.changed'>>

const telling: ReadonlySet<string> = new Set(['present', 'ready', 'scores'])

/**
 * The row of a session that an event is about; null if the row cannot concern other seats. The events of a session that
 * not everybody may see do not say what happened: without an actor, an old row was shown or a clock ran out.
 */
export function sessionPlaceOf(event: SessionEvent): { readonly session: string; readonly position: number } | null {
  const { subject: session, after } = event
  if (event.type !== 'flow.row') {
    return event.actor === null || !('position' in after) ? null : { session, position: after.position }
  }
  if ('withheld' in after) return { session, position: after.withheld }
  return 'kind' in after && telling.has(after.kind) ? { session, position: after.position } : null
}

/**
 * The seats that a row of a session concerns: those that have not yet said themselves that they are ready, and those
 * that may
 * accept or contest the result of a map. (additions: Push)
 * @param claiming the seats that may accept or contest the result
 */
export function concernedSeats(
  { kind, seat, done, speakers }: Pick<SessionRow, 'kind' | 'seat' | 'done' | 'speakers'>,
  claiming: readonly number[],
): { readonly occasion: Occasion; readonly seats: readonly number[] } {
  if (kind === 'scores') return { occasion: 'result.claimable', seats: claiming }
  const seats = speakers.map((_, index) => index + 1).filter((other) => other !== seat && !done.includes(other))
  return { occasion: 'opponent.ready', seats: seat === null ? [] : seats }
}
