import type { MatchStatus } from '../../../engine/types.ts'
import type { TournamentStatus } from '../../tournaments/tournaments/types.ts'

/** A valid ticket, with the player, tournament and match that it is for. */
export interface BridgeTicket {
  readonly guid: string
  readonly expiresAt: Date
  /** GUID of the operator; null once the operator's account is deleted. */
  readonly madeBy: string | null
  /** The player whose scores the ticket may report. */
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

/** A newly made ticket. */
export interface MadeTicket {
  /** In plain text; answered once and stored nowhere. */
  readonly ticket: string
  readonly userGuid: string
  readonly expiresAt: Date
}
