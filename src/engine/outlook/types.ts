/** The words of an outlook: who is sure of a place, who may still get one, and who may not. (match-flows: Spectators) */

export const outlookStatuses = ['clinched', 'alive', 'eliminated', 'tied'] as const
/** `tied`: nothing is left to play, and the last of the places goes to several who share a rank. */
export type OutlookStatus = (typeof outlookStatuses)[number]

export interface OutlookRow {
  readonly team: string
  readonly group: number | null
  readonly points: number
  readonly status: OutlookStatus
  readonly next: OutlookNext | null
}

/** What becomes of a team by the outcome of the next match that it is known to play. */
export interface OutlookNext {
  /** Its number. */
  readonly match: number
  readonly ifWin: OutlookStatus
  /** null where matches do not end in draws. */
  readonly ifDraw: OutlookStatus | null
  readonly ifLoss: OutlookStatus
}

export interface Outlook {
  /** Whether whoever is alive can indeed still come to either side; what else is told holds in any case. */
  readonly exact: boolean
  /** In the order of the standings. */
  readonly rows: readonly OutlookRow[]
}
