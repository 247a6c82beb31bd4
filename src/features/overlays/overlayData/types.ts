import type { Tournament } from '../../tournaments/tournaments/types.ts'

/** Which tree is read. */
export interface Asked {
  readonly tournament: Tournament
  /** GUID of the match that is shown; a match of another tournament, or that is gone, is none. */
  readonly matchGuid: string | null
  /** The second side stands first. */
  readonly swapSides: boolean
  /** GUIDs of matches, in the order in which they are listed. */
  readonly highlighted: readonly string[]
  /** Whether sessions are shown with their delays (`viewDelaySeconds`), as outsiders see them. */
  readonly isLate: boolean
  readonly publicUrl: string
  readonly now: Date
}

export const statisticKinds = ['highestAccuracy', 'mostMisses', 'mostReplays', 'longest', 'shortest'] as const
export type StatisticKind = (typeof statisticKinds)[number]

/** What stands out in the matches of a tournament that are completed. */
export interface Statistic {
  readonly kind: StatisticKind
  readonly value: number
  /** Number of the match. */
  readonly number: number
  readonly team1Guid: string | null
  readonly team2Guid: string | null
  /** Whose it is, where it is a player’s, or a team’s. */
  readonly userGuid: string | null
  readonly teamGuid: string | null
  readonly map: string | null
}
