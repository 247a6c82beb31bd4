import type { Tournament } from '../../tournaments/tournaments/types.ts'

/** Selects the tree to read. */
export interface Asked {
  readonly tournament: Tournament
  /** GUID of the match to show. An unknown match, or one of another tournament, counts as none. */
  readonly matchGuid: string | null
  /** Whether the second side is shown first. */
  readonly swapSides: boolean
  /** GUIDs of matches, in the order in which they are shown. */
  readonly highlighted: readonly string[]
  /** Whether to show sessions with their delays (`viewDelaySeconds`), as outsiders see them. */
  readonly isLate: boolean
  readonly publicUrl: string
  readonly now: Date
}

export const statisticKinds = ['highestAccuracy', 'mostMisses', 'mostReplays', 'longest', 'shortest'] as const
export type StatisticKind = (typeof statisticKinds)[number]

/** A record value among the completed matches of a tournament. */
export interface Statistic {
  readonly kind: StatisticKind
  readonly value: number
  /** Number of the match. */
  readonly number: number
  readonly team1Guid: string | null
  readonly team2Guid: string | null
  /** The player or the team of the value, if it has one. */
  readonly userGuid: string | null
  readonly teamGuid: string | null
  readonly map: string | null
}
