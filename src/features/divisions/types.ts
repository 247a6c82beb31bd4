/** A part of a tournament with brackets and match numbers of its own. (additions: Divisions, brackets, matches) */
export interface Division {
  readonly guid: string
  readonly tournamentGuid: string
  /** Short, such as `a`; unique in the tournament. */
  readonly id: string
  readonly name: string
  /** Place in the list of divisions, from 1. */
  readonly order: number
  readonly createdAt: Date
  readonly updatedAt: Date
}
