import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'

interface OfPlayer {
  readonly match: string
  readonly user: string
}

/** No event contains a ticket or anything derived from one. */
export type BridgeTicketEvent =
  /** The new ticket replaces the player's earlier one, if any. */
  | TournamentEvent<'assistant.bridge_ticket_made', { after: OfPlayer & { readonly expiresAt: string } }>
  /** The ticket was ended before it expired. */
  | TournamentEvent<'assistant.bridge_ticket_ended', { before: OfPlayer }>

declare module '../../../core/events.ts' {
  interface Events {
    bridgeTickets: BridgeTicketEvent
  }
}

export const bridgeTicketsEvents: EventTable<BridgeTicketEvent> = {
  'assistant.bridge_ticket_made': {
    subject: 'bridge_ticket',
    members: everyMember(['match', 'user', 'expiresAt'], 'private'),
  },
  'assistant.bridge_ticket_ended': { subject: 'bridge_ticket', members: everyMember(['match', 'user'], 'private') },
}
