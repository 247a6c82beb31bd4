import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'
import type { LinkState, TokenKind } from './types.ts'

/** The address of a link, for the staff. It contains no secret. */
export interface LoggedLink {
  readonly host: string
  readonly port: number
  readonly assistantTournament: string
  readonly tokenKind: TokenKind
  readonly enabled: boolean
}

interface LoggedStatus {
  readonly state: LinkState
  /** Code of the last failure. */
  readonly error: string | null
}

export type AssistantLinkEvent =
  /** The link was created (`before` is null) or replaced. */
  | TournamentEvent<'assistant.linked', { before: LoggedLink | null; after: LoggedLink }>
  | TournamentEvent<'assistant.unlinked', { before: LoggedLink }>
  /** Connecting by the link was tried, and its status changed. */
  | TournamentEvent<'assistant.link_tested', { before: LoggedStatus; after: LoggedStatus }>

declare module '../../../core/events.ts' {
  interface Events {
    assistantLinks: AssistantLinkEvent
  }
}

const place = everyMember(['host', 'port', 'assistantTournament', 'tokenKind', 'enabled'], 'private')

export const assistantLinksEvents: EventTable<AssistantLinkEvent> = {
  'assistant.linked': { subject: 'tournament', members: place },
  'assistant.unlinked': { subject: 'tournament', members: place },
  'assistant.link_tested': { subject: 'tournament', members: everyMember(['state', 'error'], 'private') },
}
