/** How many attempts a player has used up on a map. */
export interface Usage {
  readonly used: number
  /** Those of which nothing is known but that they were begun. */
  readonly pending: number
}
