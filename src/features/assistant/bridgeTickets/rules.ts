import { type Problem, unauthenticated } from '../../../core/problem.ts'
import { checkNotCancelled } from '../../tournaments/tournaments/rules/status.ts'
import { checkIsPlayed } from '../proposals/rules/games.ts'
import type { BridgeTicket } from './types.ts'

/** A ticket is valid for half a day, which covers the day of a match. (AS30) */
const lifetimeMs = 12 * 3_600_000

export function ticketEnd(now: Date): Date {
  return new Date(now.getTime() + lifetimeMs)
}

/**
 * The address that the player opens. Browsers do not send the part after `#` to a server, so the ticket appears in no
 * log. (AS30)
 */
export function ticketAddress(publicUrl: string, ticket: string): string {
  return `${publicUrl}/bridge#ticket=${ticket}`
}

/**
 * Reports are refused for a cancelled tournament and a cancelled match. (AS30)
 * @throws Problem `tournament.cancelled`, `match.cancelled`
 */
export function checkIsOf({ tournament, match }: Pick<BridgeTicket, 'tournament' | 'match'>): void {
  checkNotCancelled(tournament)
  checkIsPlayed(match)
}

/** Every invalid ticket gets the same answer, which does not reveal whether the ticket exists. (AS30) */
export function ticketInvalid(): Problem {
  return unauthenticated(
    'bridge.ticket_invalid',
    'This ticket is not good, or no longer; ask the operator of your match for another one.',
  )
}
