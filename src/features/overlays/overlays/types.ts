/** Who may read what the page of an overlay needs: whoever has one of its tokens, or everybody. */
export const overlayAccess = ['token', 'public'] as const
export type OverlayAccess = (typeof overlayAccess)[number]

export interface Overlay {
  readonly guid: string
  readonly tournamentGuid: string
  readonly name: string
  readonly access: OverlayAccess
  /** GUIDs, in the order in which they were added. */
  readonly editors: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What lets a page read one overlay, without what is presented. (OV16) */
export interface ViewToken {
  readonly guid: string
  readonly label: string
  readonly lastFour: string
  readonly preview: boolean
  readonly expiresAt: Date | null
  readonly createdAt: Date
  /** GUID; null for somebody who is gone. */
  readonly createdBy: string | null
  readonly lastUsedAt: Date | null
}

/** What somebody with a view token is told of what they show. */
export interface ShownOverlay {
  readonly guid: string
  readonly name: string
  readonly tournament: { readonly guid: string; readonly id: string }
}

export interface PointedMatch {
  readonly guid: string
  readonly number: number
}

/** In pixels. */
export interface Canvas {
  readonly width: number
  readonly height: number
}
