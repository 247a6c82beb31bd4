/** Whether the card of the current map is shown: as the scene decides, always, or never. */
export const mapCards = ['auto', 'shown', 'hidden'] as const
export type MapCard = (typeof mapCards)[number]

export interface Caster {
  readonly name: string
  readonly pronouns: string
  /** Address of a medium of this service, or of the user's own picture; null for none. */
  readonly imageUrl: string | null
  readonly handle: string
  readonly userGuid: string | null
}

export type CustomValues = Readonly<Record<string, string | number | boolean>>

/** The control state of an overlay: the shown content, and the automatic scene changes. (overlays: Records) */
export interface Control {
  readonly overlayGuid: string
  /** ID in the published document; null until a document is published. */
  readonly scene: string | null
  readonly matchGuid: string | null
  readonly swapSides: boolean
  readonly mapCard: MapCard
  readonly audio: {
    /** Whose sound is heard: 0 both sides, 1 only the first, 2 only the second. */
    readonly active: 0 | 1 | 2
    readonly muted: boolean
    /** 0 to 1. */
    readonly volume: number
  }
  readonly casters: readonly Caster[]
  readonly flavour: string
  /** GUIDs of matches. */
  readonly highlighted: readonly string[]
  readonly countdownTo: Date | null
  /** Whether the page shows nothing at all. */
  readonly blank: boolean
  readonly custom: CustomValues
  readonly autoAdvance: boolean
  readonly autoDelayMs: number
  readonly revision: number
  /** null if nothing was set yet. */
  readonly updatedAt: Date | null
  readonly updatedBy: string | null
}

/** The members that a caller sets; undefined members stay. */
export type ControlChanges = Partial<
  Pick<
    Control,
    | 'scene'
    | 'swapSides'
    | 'mapCard'
    | 'casters'
    | 'flavour'
    | 'highlighted'
    | 'countdownTo'
    | 'blank'
    | 'custom'
    | 'autoAdvance'
    | 'autoDelayMs'
  >
> & { readonly audio?: Partial<Control['audio']> }
