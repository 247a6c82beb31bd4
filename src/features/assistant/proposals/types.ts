import type { Completion } from '../../../infra/clients/assistant/messages.ts'

export type PlayState = 'sending' | 'started' | 'not_started' | 'finished' | 'aborted' | 'uncertain'
export type ProposalSource = 'assistant' | 'game' | 'manual'
export type ProposalStatus = 'collecting' | 'proposed' | 'accepted' | 'rejected' | 'superseded'

export type PlayMode = 'now' | 'held' | 'synced'

export interface PlayedMap {
  readonly poolMapGuid: string | null
  /** In lower case. */
  readonly hash: string
  readonly characteristic: string
  readonly difficulty: string
  readonly name: string
  readonly modifiers: readonly string[]
  /** null if it is unknown. */
  readonly maxScore: number | null
}

export interface ExpectedPlayer {
  readonly userGuid: string
  readonly side: 1 | 2
  readonly platformId: string | null
  /** Whether an operator chose the account for the session. */
  readonly mapped: boolean
}

/** A start of a song, with its players and state. */
export interface Play {
  readonly guid: string
  readonly tournamentGuid: string
  readonly matchGuid: string
  /** null for a song that a bridge reported. */
  readonly sessionGuid: string | null
  /** The flow session in which the song was played; null without one. */
  readonly flowSessionGuid: string | null
  readonly game: number
  readonly run: number
  readonly technical: boolean
  readonly map: PlayedMap
  readonly mode: PlayMode
  readonly source: ProposalSource
  readonly state: PlayState
  readonly expected: readonly ExpectedPlayer[]
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly serverHost: string | null
  readonly serverVersion: number | null
  readonly assistantMatch: string | null
}

/** A player's result in a play. */
export interface Finish {
  readonly playGuid: string
  readonly userGuid: string
  readonly side: 1 | 2
  readonly score: number
  readonly maxScore: number | null
  readonly accuracy: number | null
  readonly misses: number
  readonly badCuts: number
  readonly goodCuts: number
  readonly maxCombo: number | null
  readonly completion: Completion
  /** In seconds. */
  readonly endTime: number | null
  readonly mods: readonly string[]
  /** Codes found on arrival: `wrong_map`, `late` and so on. */
  readonly warnings: readonly string[]
  readonly receivedAt: Date
}

export interface ProposalWarning {
  readonly code: string
  readonly user: string | null
}

type Counts = 'misses' | 'badCuts' | 'goodCuts'

export interface ProposedPlayer extends Omit<Finish, 'playGuid' | 'warnings' | 'receivedAt' | 'mods' | Counts> {
  /** null for a player that an operator added. */
  readonly misses: number | null
  readonly badCuts: number | null
  readonly goodCuts: number | null
  readonly receivedAt: string
}

export interface ProposedSide {
  readonly score: number
  /** null where no accuracy is known. */
  readonly accuracy: number | null
}

export interface Provenance {
  readonly serverHost: string | null
  readonly serverVersion: number | null
  readonly assistantMatch: string | null
  readonly receivedAt: string
}

export interface GameProposal {
  readonly guid: string
  readonly tournamentGuid: string
  readonly matchGuid: string
  readonly playGuid: string
  readonly game: number
  readonly run: number
  readonly map: PlayedMap
  readonly players: readonly ProposedPlayer[]
  readonly sides: readonly ProposedSide[]
  readonly winner: 1 | 2 | null
  readonly warnings: readonly ProposalWarning[]
  readonly source: ProposalSource
  readonly status: ProposalStatus
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
  readonly reason: string | null
  readonly provenance: Provenance
  /** When the proposal accepts itself unless an operator acts first; null for never. (AS20) */
  readonly acceptAt: Date | null
  readonly createdAt: Date
}
