/** The number of attempts that a player has used up on a map. */
export interface Usage {
  readonly used: number
  /** Attempts that have begun and have no known end. */
  readonly pending: number
}
