import { type EventTable, everyMember, type MembersOf, type TournamentEvent } from '../../../core/events.ts'
import type { MatchRecord, Official } from '../matches/types.ts'
import type { LoggedSide } from './rules.ts'

/** `altered`: the numbers of the other matches of its bracket that the change altered. */
type After = LoggedSide & { readonly altered?: readonly number[] }
export interface OfCorrection {
  readonly correctionGuid: string
  readonly reason?: string
}
type Settings = Pick<MatchRecord, 'number'> &
  MembersOf<MatchRecord, 'scheduledAt' | 'bestOf' | 'streamUrl' | 'vodUrl'> & {
    readonly officials?: readonly Official[]
  }

export type PlayType =
  | 'match.started'
  | 'match.game_reported'
  | 'match.game_removed'
  /** In the place of any of these where it decides the match. */
  | 'match.completed'

export type CorrectionType =
  | 'match.corrected'
  | 'match.reopened'
  /** Happens to the match that was corrected. */
  | 'correction.undone'

export type MatchEvent =
  | TournamentEvent<PlayType, { before: LoggedSide; after: After }>
  | TournamentEvent<CorrectionType, { before: LoggedSide; after: After & OfCorrection }>
  /** What notes say stays out of the log: it is for the staff of today. */
  | TournamentEvent<'match.updated', { before: Settings; after: Settings & { readonly notesChanged?: true } }>

declare module '../../../core/events.ts' {
  interface Events {
    results: MatchEvent
  }
}

const changing = ['status', 'outcome', 'winner', 'scores', 'games'] as const
/** The number tells which match it is, and is not what has changed. */
const beside = { number: 'private', altered: 'private' } as const
const ofCorrection = { correctionGuid: 'private', reason: 'private' } as const
const play = { subject: 'match', members: { ...everyMember(changing, 'public'), ...beside } } as const
const correction = { subject: 'match', members: { ...play.members, ...ofCorrection } } as const

export const resultsEvents: EventTable<MatchEvent> = {
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
