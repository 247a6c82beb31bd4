import type { MatchStatus, Section } from '../../../engine/types.ts'
import type { Phase, SessionStatus } from '../../assistant/assistantSessions/types.ts'
import type { ProposalStatus } from '../../assistant/proposals/types.ts'
import type { StoredSide } from '../../brackets/matches/types.ts'

/** A match, with the columns that the crew of a match day needs. */
export interface CoordinatedMatch {
  readonly guid: string
  readonly number: number
  readonly divisionGuid: string
  readonly divisionName: string
  readonly bracketGuid: string
  readonly bracketName: string
  readonly section: Section
  readonly round: number
  readonly status: MatchStatus
  readonly team1Guid: string | null
  readonly team2Guid: string | null
  readonly sides: readonly [StoredSide, StoredSide]
  readonly bestOf: number
  readonly scheduledAt: Date | null
  readonly startedAt: Date | null
}

interface OfMatch {
  readonly matchGuid: string
}

export interface PointedOverlay extends OfMatch {
  readonly guid: string
  readonly name: string
}

export interface HeldSession extends OfMatch {
  readonly guid: string
  readonly status: SessionStatus
  readonly phase: Phase
}

export interface OpenProposal extends OfMatch {
  readonly guid: string
  readonly game: number
  readonly run: number
  readonly status: ProposalStatus
  readonly createdAt: Date
}
