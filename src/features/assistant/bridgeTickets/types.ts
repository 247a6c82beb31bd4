import type { MatchStatus } from '../../../engine/types.ts'
import type { TournamentStatus } from '../../tournaments/tournaments/types.ts'

/** A ticket that is good, with what it is for. */
export interface BridgeTicket {
  readonly guid: string
  readonly expiresAt: Date
  /** GUID of the operator; null once their account was given up. */
  readonly madeBy: string | null
  /** Whose scores it tells. */
  readonly user: { readonly guid: string; readonly preferredName: string }
  readonly tournament: {
    readonly guid: string
    readonly id: string
    readonly name: string
    readonly status: TournamentStatus
  }
  readonly match: {
    readonly guid: string
    readonly number: number
    readonly status: MatchStatus
    readonly team1Guid: string | null
    readonly team2Guid: string | null
  }
}

/** One that was just made. */
export interface MadeTicket {
  /** Told once, and kept nowhere. */
  readonly ticket: string
  readonly userGuid: string
  readonly expiresAt: Date
}
