import type { EventOf, EventType } from '../../../../core/events.ts'
import type { SceneDocument, SceneRole } from '../../../../engine/scenes/document.ts'
import { inOrder } from '../../../../engine/scenes/order.ts'
import type { LoggedEvent } from '../../../../infra/events/logged.ts'
import type { Control } from '../types.ts'

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
