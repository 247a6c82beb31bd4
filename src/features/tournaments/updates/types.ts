/** A card that shows a change by its before and after; it has no fixed form. (rest-interface: Tournament update) */
export type Card = Readonly<Record<string, unknown>>

/** The texts of an update. */
export interface Content {
  /** Plain text on one line; may be empty. */
  readonly title: string
  /** Markdown. */
  readonly content: string
  readonly changes: readonly Card[]
}

export interface Update extends Content {
  /** Chosen by the client that published the update. */
  readonly guid: string
  readonly tournamentGuid: string
  /** The SHA-256 of the first publication. */
  readonly publishedHash: Buffer
  readonly createdAt: Date
  /** null until the first edit. (D51) */
  readonly updatedAt: Date | null
  /** When the update was deleted. Only its row with the GUID stays. */
  readonly deletedAt: Date | null
}
