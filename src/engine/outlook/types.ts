/**
 * The types of an outlook: which teams are sure of a place, which may still get one, and which may not.
 * (match-flows: Spectators)
 */

export const outlookStatuses = ['clinched', 'alive', 'eliminated', 'tied'] as const
/** `tied`: all matches are over, and several teams share the rank that the last place runs through. */
export type OutlookStatus = (typeof outlookStatuses)[number]

export interface OutlookRow {
  readonly team: string
  readonly group: number | null
  readonly points: number
  readonly status: OutlookStatus
  readonly next: OutlookNext | null
}

/** The status of a team after each outcome of its next known match. */
export interface OutlookNext {
  /** The number of the match. */
  readonly match: number
  readonly ifWin: OutlookStatus
  /** null where draws are not allowed. */
  readonly ifDraw: OutlookStatus | null
  readonly ifLoss: OutlookStatus
}

export interface Outlook {
  /**
   * True when every team that is `alive` can indeed still finish on either side. `clinched` and `eliminated` are
   * correct either way.
   */
  readonly exact: boolean
  /** In the order of the standings. */
  readonly rows: readonly OutlookRow[]
}
