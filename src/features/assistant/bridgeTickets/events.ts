import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'

interface OfPlayer {
  readonly match: string
  readonly user: string
}

/** Never with a ticket, or anything that is made of one. */
export type BridgeTicketEvent =
  /** In place of the one before, if there was one. */
  | TournamentEvent<'assistant.bridge_ticket_made', { after: OfPlayer & { readonly expiresAt: string } }>
  /** Before its time was over. */
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
