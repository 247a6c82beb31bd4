import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'
import type { LinkState, TokenKind } from './types.ts'

/** Where a link leads, for the staff; nothing of its secrets. */
export interface LoggedLink {
  readonly host: string
  readonly port: number
  readonly assistantTournament: string
  readonly tokenKind: TokenKind
  readonly enabled: boolean
}

interface LoggedStatus {
  readonly state: LinkState
  /** Code of what went wrong. */
  readonly error: string | null
}

export type AssistantLinkEvent =
  /** It was made, where nothing stood before, or set anew. */
  | TournamentEvent<'assistant.linked', { before: LoggedLink | null; after: LoggedLink }>
  | TournamentEvent<'assistant.unlinked', { before: LoggedLink }>
  /** It was tried, or used, and did or did not lead there. */
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
