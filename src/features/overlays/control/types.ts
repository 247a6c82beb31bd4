/** Whether the card of the present map is shown: as the scene has it, always, or never. */
export const mapCards = ['auto', 'shown', 'hidden'] as const
export type MapCard = (typeof mapCards)[number]

export interface Caster {
  readonly name: string
  readonly pronouns: string
  /** Of own media, or the picture of the user; null where there is none. */
  readonly imageUrl: string | null
  readonly handle: string
  readonly userGuid: string | null
}

export type CustomValues = Readonly<Record<string, string | number | boolean>>

/** What an overlay shows now, and what it will show of itself. (overlays: Records) */
export interface Control {
  readonly overlayGuid: string
  /** Id in the published document; null as long as none is published. */
  readonly scene: string | null
  readonly matchGuid: string | null
  readonly swapSides: boolean
  readonly mapCard: MapCard
  readonly audio: {
    /** 0 both sides, 1 the first alone, 2 the second alone. */
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
  /** Whether nothing is shown at all. */
  readonly blank: boolean
  readonly custom: CustomValues
  readonly autoAdvance: boolean
  readonly autoDelayMs: number
  readonly revision: number
  /** null as long as nothing was set. */
  readonly updatedAt: Date | null
  readonly updatedBy: string | null
}

/** What controllers set, as far as they name it. */
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
