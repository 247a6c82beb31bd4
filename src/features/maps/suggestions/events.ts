import type { EventTable, TournamentEvent } from '../../../core/events.ts'
import type { SuggestionStatus } from './types.ts'

interface Targeted {
  readonly targetPoolGuid?: string | null
  readonly targetFlairGuid?: string | null
}

interface Made extends Targeted {
  readonly mapGuid: string
  readonly name: string | null
}

interface Wording extends Targeted {
  readonly note?: string | null
}

interface Decided {
  /** GUID of the author of the suggestion, who is notified. */
  readonly suggestedBy: string
  /** Name of the map. */
  readonly name: string | null
  readonly reason: string | null
}

interface Accepted extends Decided {
  readonly poolGuid: string
  readonly poolMapGuid: string
}

interface Undone {
  readonly status: SuggestionStatus
  readonly reason: string | null
}

interface Commented {
  readonly commentGuid: string
  readonly replyTo: string | null
}

/**
 * The events contain no vote values, because readers of the event log may not see them, and no comment texts, because
 * comments may be deleted.
 */
export type SuggestionEvent =
  | TournamentEvent<'suggestion.created', { after: Made }>
  | TournamentEvent<'suggestion.updated', { before: Wording; after: Wording }>
  | TournamentEvent<'suggestion.accepted', { after: Accepted }>
  | TournamentEvent<'suggestion.rejected', { after: Decided }>
  | TournamentEvent<'suggestion.withdrawn'>
  | TournamentEvent<'suggestion.reopened', { before: Undone }>
  | TournamentEvent<'suggestion.voted' | 'suggestion.vote_withdrawn'>
  | TournamentEvent<'suggestion.map_voted' | 'suggestion.map_vote_withdrawn'>
  | TournamentEvent<'suggestion.commented' | 'suggestion.map_commented', { after: Commented }>
  | TournamentEvent<'suggestion.comment_edited' | 'suggestion.comment_deleted'>

declare module '../../../core/events.ts' {
  interface Events {
    suggestions: SuggestionEvent
  }
}

/** Only poolers see these events. */
export const suggestionsEvents: EventTable<SuggestionEvent> = {
  'suggestion.created': {
    subject: 'suggestion',
    members: { mapGuid: 'private', name: 'private', targetPoolGuid: 'private', targetFlairGuid: 'private' },
  },
  'suggestion.updated': {
    subject: 'suggestion',
    members: { note: 'private', targetPoolGuid: 'private', targetFlairGuid: 'private' },
  },
  'suggestion.accepted': {
    subject: 'suggestion',
    members: {
      suggestedBy: 'private',
      name: 'private',
      reason: 'private',
      poolGuid: 'private',
      poolMapGuid: 'private',
    },
  },
  'suggestion.rejected': {
    subject: 'suggestion',
    members: { suggestedBy: 'private', name: 'private', reason: 'private' },
  },
  'suggestion.withdrawn': { subject: 'suggestion' },
  'suggestion.reopened': { subject: 'suggestion', members: { status: 'private', reason: 'private' } },
  'suggestion.voted': { subject: 'suggestion' },
  'suggestion.vote_withdrawn': { subject: 'suggestion' },
  'suggestion.map_voted': { subject: 'pool_map' },
  'suggestion.map_vote_withdrawn': { subject: 'pool_map' },
  'suggestion.commented': { subject: 'suggestion', members: { commentGuid: 'private', replyTo: 'private' } },
  'suggestion.map_commented': { subject: 'pool_map', members: { commentGuid: 'private', replyTo: 'private' } },
  'suggestion.comment_edited': { subject: 'pool_comment' },
  'suggestion.comment_deleted': { subject: 'pool_comment' },
}
