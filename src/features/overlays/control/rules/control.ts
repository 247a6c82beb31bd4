import { isDeepStrictEqual } from 'node:util'
import { conflict, invalid } from '../../../../core/problem.ts'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import { inOrder } from '../../../../engine/scenes/order.ts'
import type { ControlMember } from '../events.ts'
import type { Control, ControlChanges, CustomValues } from '../types.ts'

export const maxCasters = 3
export const maxHighlighted = 8
export const maxCustom = 20
export const maxCustomLength = 200
export const maxFlavourLength = 200
export const maxDelayMs = 30_000

/** The default control state. An overlay without a stored state shows its first scene. (overlays: Records) */
export function untouched(overlayGuid: string): Control {
  return {
    overlayGuid,
    scene: null,
    matchGuid: null,
    swapSides: false,
    mapCard: 'auto',
    audio: { active: 0, muted: false, volume: 1 },
    casters: [],
    flavour: '',
    highlighted: [],
    countdownTo: null,
    blank: false,
    custom: {},
    autoAdvance: true,
    autoDelayMs: 4_000,
    revision: 0,
    updatedAt: null,
    updatedBy: null,
  }
}

/**
 * Returns the stored scene, or the first scene if none is stored or the published document lacks it. Returns null until
 * a document is published. (OV12; overlays 11.1)
 */
export function shownScene(scene: string | null, published: Pick<SceneDocument, 'scenes'> | undefined): string | null {
  if (published === undefined) return null
  if (scene !== null && Object.hasOwn(published.scenes, scene)) return scene
  return inOrder(published.scenes)[0]?.[0] ?? null
}

/**
 * Only scenes of the published document can be shown. (OV12)
 * @throws Problem `control.scene_unknown`
 */
export function checkScene(scene: string, published: Pick<SceneDocument, 'scenes'> | undefined): void {
  if (published !== undefined && Object.hasOwn(published.scenes, scene)) return
  throw invalid(
    'control.scene_unknown',
    published === undefined
      ? 'Nothing is published, so that there is no scene to show; publish the overlay first.'
      : 'The published document has no such scene; name one of its scenes by its id.',
  )
}

const customName = /^[a-z][A-Za-z0-9]{0,31}$/

/**
 * Names of own values begin with a small letter and consist of letters and digits. (overlays: Records)
 * @throws Problem `control.custom_invalid`
 */
export function checkCustom(custom: CustomValues): void {
  const wrong = Object.keys(custom).find((name) => !customName.test(name))
  if (wrong === undefined) return
  const words = `\`custom\` has a name that cannot be bound to: ${JSON.stringify(wrong.slice(0, 60))}.`
  throw invalid('control.custom_invalid', `${words} Names are a small letter and at most 31 letters and digits.`)
}

/** All members that callers may set, except the match. */
export const controlMembers = [
  ...(['scene', 'swapSides', 'mapCard', 'audio', 'casters', 'flavour', 'highlighted', 'countdownTo'] as const),
  ...(['blank', 'custom', 'autoAdvance', 'autoDelayMs'] as const),
] satisfies readonly ControlMember[]

/** Named members replace the stored ones, `audio` member by member. All others stay. (OV12; overlays 11.1) */
export function withChanges(control: Control, { audio, ...changes }: ControlChanges): Control {
  return { ...control, ...changes, audio: { ...control.audio, ...rounded(audio ?? {}) } }
}

/** Rounds the volume as the database column does. */
function rounded(audio: Partial<Control['audio']>): Partial<Control['audio']> {
  return audio.volume === undefined ? audio : { ...audio, volume: Math.round(audio.volume * 1_000) / 1_000 }
}

export function changedMembers(before: Control, after: Control): readonly ControlMember[] {
  return controlMembers.filter((name) => !isDeepStrictEqual(before[name], after[name]))
}

/**
 * Pointing at another match resets the sides, the map card and the highlighted matches; casters and audio stay. (OV13)
 */
export function pointedAt(control: Control, matchGuid: string | null): Control {
  return { ...control, matchGuid, swapSides: false, mapCard: 'auto', highlighted: [] }
}

export function isSamePointing(before: Control, after: Control): boolean {
  return before.matchGuid === after.matchGuid && changedMembers(before, after).length === 0
}

/**
 * A conditional change is refused if the caller has seen another revision. (OV12)
 * @throws Problem `overlay.stale`
 */
export function checkRevision({ revision }: Control, seen: number | undefined, present: () => object): void {
  if (seen === undefined || seen === revision) return
  throw conflict('overlay.stale', 'The overlay has changed since; look at it as it is, and try again.', {
    present: present(),
  })
}

export function nothingToChange() {
  return invalid('control.nothing_to_change', 'Name at least one member of the control state that is to change.')
}
