/** Who may read the data for an overlay's page: holders of its tokens, or everybody. */
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

/** A view token, which lets a page read one overlay; without its secret. (OV16) */
export interface ViewToken {
  readonly guid: string
  readonly label: string
  readonly lastFour: string
  readonly preview: boolean
  readonly expiresAt: Date | null
  readonly createdAt: Date
  /** GUID; null if the user was deleted. */
  readonly createdBy: string | null
  readonly lastUsedAt: Date | null
}

/** The overlay, as shown to a caller with its view token. */
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
