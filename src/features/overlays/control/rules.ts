import { isDeepStrictEqual } from 'node:util'
import type { EventOf, EventType } from '../../../core/events.ts'
import { conflict, invalid, Problem } from '../../../core/problem.ts'
import type { SceneDocument, SceneRole } from '../../../engine/scenes/document.ts'
import { inOrder } from '../../../engine/scenes/order.ts'
import type { LoggedEvent } from '../../../infra/events/logged.ts'
import type { ControlMember } from './events.ts'
import type { Control, ControlChanges, CustomValues } from './types.ts'

/** The events that scenes follow. */
export const advancingTypes = [
  'flow.begun',
  'assistant.song_started',
  'match.game_reported',
  'match.completed',
  'tournament.status_changed',
] as const satisfies readonly EventType[]

export type AdvancingEvent = LoggedEvent<EventOf<(typeof advancingTypes)[number]>>

/** A scene change that an event causes. */
export interface Advance {
  /**
   * GUID of the match whose overlays change; or of the tournament: then every overlay that points at one of its matches
   * changes.
   */
  readonly about: { readonly match: string } | { readonly tournament: string }
  /** Number of the event. */
  readonly seq: number
  readonly to: SceneRole
  /** The role of the scene that follows after the overlay's delay; null for none. */
  readonly next: SceneRole | null
}

/**
 * The start of a session shows the scene `pickBan`, the start of a song `gameplay`, a map result `summary` and then
 * `pickBan`, and the end of the match `summary`. The completion of the tournament shows `winners`, because they are
 * known only then. (OV14; overlays: What proves it, 13)
 * @returns null for an event that changes no scene, such as a corrected result
 */
export function advanceOf({ type, subject, seq, before, after }: AdvancingEvent): Advance | null {
  switch (type) {
    case 'flow.begun':
      return after.match === null ? null : { about: { match: after.match }, seq, to: 'pickBan', next: null }
    case 'assistant.song_started':
      return { about: { match: 'withheld' in after ? after.withheld : after.match }, seq, to: 'gameplay', next: null }
    case 'match.game_reported':
      if (!isNewResult(before.games, after.games)) return null
      return { about: { match: subject }, seq, to: 'summary', next: 'pickBan' }
    case 'match.completed':
      return { about: { match: subject }, seq, to: 'summary', next: null }
    case 'tournament.status_changed':
      if (after.status !== 'completed') return null
      return { about: { tournament: subject }, seq, to: 'winners', next: null }
  }
}

type Games = readonly { readonly number: number; readonly winner: number | null }[]

/** Whether a map has its first result. The same event also reports corrections. */
function isNewResult(before: Games = [], after: Games = []): boolean {
  return after.some((game) => {
    const known = before.find(({ number }) => number === game.number)
    return known === undefined || (known.winner === null && game.winner !== null)
  })
}

/** Whether the change concerns an overlay, with the match that it points at now. */
export function concerns({ about }: Advance, { matchGuid, tournamentGuid }: Advancing): boolean {
  return 'match' in about ? about.match === matchGuid : matchGuid !== null && about.tournament === tournamentGuid
}

/** Scenes follow only events after the last pointing and the last choice of a scene by hand. (OV14) */
export function isNewer({ seq }: Advance, { pointedSeq, sceneSeq }: Advancing): boolean {
  return seq > pointedSeq && seq > sceneSeq
}

/** The state of an overlay that decides about its next scene. */
export interface Advancing extends Pick<Control, 'overlayGuid' | 'scene' | 'autoAdvance' | 'autoDelayMs'> {
  readonly tournamentGuid: string
  readonly matchGuid: string | null
  readonly pointedSeq: number
  readonly sceneSeq: number
  /** ID of the scene that is shown next, unless it is cancelled; null for none. */
  readonly advanceTo: string | null
  /** Whether the next scene is due, by the clock of the database. */
  readonly isDue: boolean
}

/** Returns the ID of the first scene with the role, by order; null if there is none. (OV14) */
export function sceneOfRole({ scenes }: SceneDocument, role: SceneRole): string | null {
  return inOrder(scenes).find(([, scene]) => scene.role === role)?.[0] ?? null
}

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

/** Maximum number of writes of one overlay within a second. (OV12) */
const writesPerSecond = 10
/** Maximum wait of a write for its turn, in milliseconds. (overlays 11.1) */
const maxWaitMs = 5_000

const second = 1_000

interface Turns {
  /** The turns of the new writes, in their order; null for a write that would have to wait too long. */
  readonly given: readonly (number | null)[]
  /** The last ten turns, including the new ones. */
  readonly turns: readonly number[]
}

/**
 * An overlay takes at most ten writes within any second. Further writes wait up to five seconds, in the order of
 * arrival; writes beyond that are refused. (OV12; overlays 11.1)
 * @param last times of the last turns, past or future, oldest first
 * @param now milliseconds, by the same clock
 * @param count number of new writes
 */
export function takeTurns(last: readonly number[], now: number, count: number): Turns {
  // A later turn is never given, so the clock was set back: start again.
  const turns = last.some((turn) => turn > now + maxWaitMs) ? [] : [...last]
  const given: (number | null)[] = []
  for (let index = 0; index < count; index++) {
    const tenth = turns.at(-writesPerSecond)
    const at = Math.max(now, turns.at(-1) ?? 0, tenth === undefined ? 0 : tenth + second)
    const isTooLate = at > now + maxWaitMs
    given.push(isTooLate ? null : at)
    if (!isTooLate) turns.push(at)
  }
  return { given, turns: turns.slice(-writesPerSecond) }
}

export function tooManyWrites() {
  return new Problem(
    'limited',
    'control.limit',
    `An overlay is changed ${writesPerSecond} times a second at most, and more wait already; try again in a few seconds.`,
    { headers: { 'retry-after': '5' } },
  )
}
