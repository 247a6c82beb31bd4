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
