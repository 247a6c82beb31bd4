import { type EventTable, everyMember, type MembersOf, type TournamentEvent } from '../../../core/events.ts'
import type { MatchRecord, Official } from '../matches/types.ts'
import type { LoggedSide } from './rules.ts'

/** `altered` lists the numbers of the other altered matches of the bracket. */
type After = LoggedSide & { readonly altered?: readonly number[] }
export interface OfCorrection {
  readonly correctionGuid: string
  readonly reason?: string
}
type Settings = Pick<MatchRecord, 'number'> &
  MembersOf<MatchRecord, 'scheduledAt' | 'bestOf' | 'streamUrl' | 'vodUrl'> & {
    readonly officials?: readonly Official[]
  }

interface Called {
  readonly number: number
  readonly calledAt: string
  readonly message?: string
  readonly teams: readonly string[]
}

export type PlayType =
  | 'match.started'
  | 'match.game_reported'
  | 'match.game_removed'
  /** Replaces any of the types above if the change completes the match. */
  | 'match.completed'

export type CorrectionType =
  | 'match.corrected'
  | 'match.reopened'
  /** Emitted for the match that was corrected. */
  | 'correction.undone'

export type MatchEvent =
  | TournamentEvent<PlayType, { before: LoggedSide; after: After }>
  | TournamentEvent<CorrectionType, { before: LoggedSide; after: After & OfCorrection }>
  /** `teams` are those that were called. */
  | TournamentEvent<'match.called', { after: Called }>
  /** The text of notes is not logged, since only the present staff may read it. */
  | TournamentEvent<'match.updated', { before: Settings; after: Settings & { readonly notesChanged?: true } }>

declare module '../../../core/events.ts' {
  interface Events {
    results: MatchEvent
  }
}

const changing = ['status', 'outcome', 'winner', 'scores', 'games'] as const
/** The number identifies the match and is not a change. */
const beside = { number: 'private', altered: 'private' } as const
const ofCorrection = { correctionGuid: 'private', reason: 'private' } as const
const play = { subject: 'match', members: { ...everyMember(changing, 'public'), ...beside } } as const
const correction = { subject: 'match', members: { ...play.members, ...ofCorrection } } as const

export const resultsEvents: EventTable<MatchEvent> = {
  'match.called': {
    subject: 'match',
    members: { number: 'private', calledAt: 'public', message: 'public', teams: 'public' },
  },
  'match.started': play,
  'match.game_reported': play,
  'match.game_removed': play,
  'match.completed': play,
  'match.corrected': correction,
  'match.reopened': correction,
  'correction.undone': {
    subject: 'match',
    members: { ...everyMember(changing, 'private'), ...beside, ...ofCorrection },
  },
  'match.updated': {
    subject: 'match',
    members: {
      number: 'private',
      scheduledAt: 'public',
      bestOf: 'public',
      streamUrl: 'public',
      vodUrl: 'public',
      officials: 'public',
      notesChanged: 'private',
    },
  },
}
