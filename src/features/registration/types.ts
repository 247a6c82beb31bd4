/** An answer to an additional field: text (also for select and boolean), a number, or a map. (rest-interface; D49) */
export type FieldResponse = string | number | MapReference

export interface MapReference {
  readonly hash: string
  readonly difficulty: string
  readonly characteristic: string
}

export interface FieldAnswer {
  readonly fieldGuid: string
  /** Whose answer it is, for fields with subject `player`. */
  readonly userGuid: string | null
  readonly response: FieldResponse
}
