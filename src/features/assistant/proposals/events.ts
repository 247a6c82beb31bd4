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
   * A player's song has ended, in a match. Everybody who sees the match is notified of the end, but not of the scores
   * before they are a result. While outsiders see the match with a delay, they get only the map's number, as
   * `withheld`. (match-flows: Spectators)
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
  /** `corrected`: GUIDs of the players whose scores the operator changed. */
  | TournamentEvent<
      'assistant.proposal_accepted',
      { after: OfMatch & { readonly reason: string | null; readonly corrected: readonly string[] } }
    >
  | TournamentEvent<'assistant.proposal_rejected', { after: OfMatch & { readonly reason: string } }>
  /** The song got a result in another way. */
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
