import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'

interface OfMatch {
  readonly match: string
}

interface Song extends OfMatch {
  readonly play: string
  readonly hash: string
  readonly difficulty: string
}

/**
 * Replaces the song for outsiders who see the match with a delay, so that they do not learn of it. (match-flows:
 * Spectators)
 */
interface WithheldSong {
  /** GUID of the match. */
  readonly withheld: string
  readonly play: string
}

export type AssistantSessionEvent =
  | TournamentEvent<'assistant.session_opened', { after: OfMatch }>
  /** A part of the session that staff see has changed: its connection, its players, or a pending request. */
  | TournamentEvent<
      'assistant.session_updated',
      { after: OfMatch & { readonly phase: string; readonly status: string } }
    >
  | TournamentEvent<'assistant.session_closed', { after: OfMatch & { readonly reason: string } }>
  /** Control was taken over from another operator, with a reason. */
  | TournamentEvent<
      'assistant.control_taken',
      {
        before: { readonly controller: string | null }
        after: OfMatch & { readonly controller: string; readonly reason: string }
      }
    >
  /** The controller lost a role, the account, the sign-in or the grant. */
  | TournamentEvent<'assistant.control_ended', { before: { readonly controller: string }; after: OfMatch }>
  | TournamentEvent<'assistant.map_set', { after: OfMatch & { readonly hash: string } }>
  | TournamentEvent<'assistant.song_started', { after: Song | WithheldSong }>
  | TournamentEvent<'assistant.play_aborted', { after: Song | WithheldSong }>
  /** A song was loaded in a decided match. */
  | TournamentEvent<'assistant.load_forced', { after: OfMatch & { readonly reason: string } }>
  /** A song was started in a decided match. */
  | TournamentEvent<'assistant.play_forced', { after: OfMatch & { readonly play: string; readonly reason: string } }>
  | TournamentEvent<'assistant.sync_failed', { after: OfMatch }>
  | TournamentEvent<'assistant.gameplay_modified', { after: OfMatch & { readonly modifier: string } }>

declare module '../../../core/events.ts' {
  interface Events {
    assistantSessions: AssistantSessionEvent
  }
}

const session = 'assistant_session' as const

const songMembers = {
  ...everyMember(['match', 'hash', 'difficulty'], 'public'),
  ...everyMember(['play', 'withheld'], 'private'),
}

export const assistantSessionsEvents: EventTable<AssistantSessionEvent> = {
  'assistant.session_opened': { subject: session, members: { match: 'private' } },
  'assistant.session_updated': { subject: session, members: { match: 'private', phase: 'private', status: 'private' } },
  'assistant.session_closed': { subject: session, members: { match: 'private', reason: 'private' } },
  'assistant.control_taken': {
    subject: session,
    members: { match: 'private', controller: 'private', reason: 'private' },
  },
  'assistant.control_ended': { subject: session, members: { match: 'private', controller: 'private' } },
  'assistant.map_set': { subject: session, members: { match: 'private', hash: 'private' } },
  'assistant.song_started': {
    subject: session,
    members: songMembers,
  },
  'assistant.play_aborted': {
    subject: session,
    members: songMembers,
  },
  'assistant.load_forced': { subject: session, members: { match: 'private', reason: 'private' } },
  'assistant.play_forced': { subject: session, members: { match: 'private', play: 'private', reason: 'private' } },
  'assistant.sync_failed': { subject: session, members: { match: 'private' } },
  'assistant.gameplay_modified': { subject: session, members: { match: 'private', modifier: 'private' } },
}
