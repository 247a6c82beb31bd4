import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'
import type { Completion } from '../../../infra/clients/assistant/messages.ts'
import type { ProposalStatus } from './types.ts'

interface Song {
  readonly game: number
  readonly run: number
}

type OfMatch = Song & { readonly match: string }

export type ProposalEvent =
  /**
   * Happens to the match. That a song of a map has ended is for everybody who sees it; how it went is not, before it is a result, and
   * nothing is where outsiders see the match later: `withheld` is the map's number then. (match-flows: Spectators)
   */
  | TournamentEvent<
      'assistant.song_finished',
      {
        after: (Song | (Omit<Song, 'game'> & { readonly withheld: number })) & {
          readonly play: string
          readonly user: string
          readonly score: number
          readonly completion: Completion
        }
      }
    >
  | TournamentEvent<
      'assistant.proposal_made',
      {
        after: OfMatch & {
          readonly status: ProposalStatus
          readonly winner: number | null
          readonly warnings: readonly string[]
        }
      }
    >
  /** `corrected`: whose scores were changed by whoever accepted. */
  | TournamentEvent<
      'assistant.proposal_accepted',
      { after: OfMatch & { readonly reason: string | null; readonly corrected: readonly string[] } }
    >
  | TournamentEvent<'assistant.proposal_rejected', { after: OfMatch & { readonly reason: string } }>
  /** A result came by another way. */
  | TournamentEvent<'assistant.proposal_superseded', { after: OfMatch }>

declare module '../../../core/events.ts' {
  interface Events {
    proposals: ProposalEvent
  }
}

const ofMatch = ['match', 'game', 'run'] as const

export const proposalsEvents: EventTable<ProposalEvent> = {
  'assistant.song_finished': {
    subject: 'match',
    members: { ...everyMember(['run', 'play', 'user', 'score', 'completion', 'withheld'], 'private'), game: 'public' },
  },
  'assistant.proposal_made': {
    subject: 'game_proposal',
    members: everyMember([...ofMatch, 'status', 'winner', 'warnings'], 'private'),
  },
  'assistant.proposal_accepted': {
    subject: 'game_proposal',
    members: everyMember([...ofMatch, 'reason', 'corrected'], 'private'),
  },
  'assistant.proposal_rejected': {
    subject: 'game_proposal',
    members: everyMember([...ofMatch, 'reason'], 'private'),
  },
  'assistant.proposal_superseded': { subject: 'game_proposal', members: everyMember(ofMatch, 'private') },
}
