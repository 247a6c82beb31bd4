/** A tournament that rehearses another one. (R1) */
export interface Rehearsal {
  /** Also of its tournament. */
  readonly guid: string
  /** Short id of its tournament. */
  readonly id: string
  readonly name: string
  /** GUID of the tournament that it rehearses. */
  readonly of: string
  readonly createdBy: string
  readonly createdAt: Date
  /** The last change of anything in it, or its making. */
  readonly lastUsedAt: Date
}
