/** A community that tournaments may ask to be listed on. (rest-interface: Tournament platform) */
export interface Platform {
  readonly guid: string
  /** Short id. */
  readonly contextId: string
  /** Decides on the main listing, and with it on a tournament's approval. (D25) */
  readonly isSystem: boolean
}
