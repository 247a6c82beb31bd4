import { type Problem, unauthenticated } from '../../../core/problem.ts'
import { checkNotCancelled } from '../../tournaments/tournaments/rules/status.ts'
import { checkIsPlayed } from '../proposals/rules/games.ts'
import type { BridgeTicket } from './types.ts'

/** A ticket is good for half a day: for the day of a match, and for no other. (AS30) */
const lifetimeMs = 12 * 3_600_000

export function ticketEnd(now: Date): Date {
  return new Date(now.getTime() + lifetimeMs)
}

/** What the player opens. Behind the `#` a ticket is sent to no server, and stands in no log of one. (AS30) */
export function ticketAddress(publicUrl: string, ticket: string): string {
  return `${publicUrl}/bridge#ticket=${ticket}`
}

/**
 * Nothing is told of a match that nobody plays. (AS30)
 * @throws Problem `tournament.cancelled`, `match.cancelled`
 */
export function checkIsOf({ tournament, match }: Pick<BridgeTicket, 'tournament' | 'match'>): void {
  checkNotCancelled(tournament)
  checkIsPlayed(match)
}

/** Whatever is wrong with a ticket, the answer is the same: it tells nothing about which tickets there are. (AS30) */
export function ticketInvalid(): Problem {
  return unauthenticated(
    'bridge.ticket_invalid',
    'This ticket is not good, or no longer; ask the operator of your match for another one.',
  )
}
