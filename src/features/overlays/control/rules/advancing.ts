import type { EventOf, EventType } from '../../../../core/events.ts'
import type { SceneDocument, SceneRole } from '../../../../engine/scenes/document.ts'
import { inOrder } from '../../../../engine/scenes/order.ts'
import type { LoggedEvent } from '../../../../infra/events/logged.ts'
import type { Control } from '../types.ts'

/** What matches go on by, as far as scenes follow them. */
export const advancingTypes = [
  'flow.begun',
  'assistant.song_started',
  'match.game_reported',
  'match.completed',
] as const satisfies readonly EventType[]

export type AdvancingEvent = LoggedEvent<EventOf<(typeof advancingTypes)[number]>>

/** What is to be shown of a match by now. */
export interface Advance {
  /** GUID. */
  readonly match: string
  /** Of the event that it follows. */
  readonly seq: number
  readonly to: SceneRole
  /** What follows on it after the delay of the overlay. */
  readonly next: SceneRole | null
}

/**
 * A session that begins is shown by the scene of picks and bans, a song by that of gameplay, the result of a map by the summary, after
 * which picks and bans come back, and the end of the match by the summary. (OV14)
 * @returns null for what moves nothing, such as a result that is put right
 */
export function advanceOf({ type, subject, seq, before, after }: AdvancingEvent): Advance | null {
  switch (type) {
    case 'flow.begun':
      return after.match === null ? null : { match: after.match, seq, to: 'pickBan', next: null }
    case 'assistant.song_started':
      return { match: after.match, seq, to: 'gameplay', next: null }
    case 'match.game_reported':
      return isNewResult(before.games, after.games) ? { match: subject, seq, to: 'summary', next: 'pickBan' } : null
    case 'match.completed':
      return { match: subject, seq, to: 'summary', next: null }
  }
}

type Games = readonly { readonly number: number; readonly winner: number | null }[]

/** Whether a map has a result that had none: one that is put right is told by the same event. */
function isNewResult(before: Games = [], after: Games = []): boolean {
  return after.some((game) => {
    const known = before.find(({ number }) => number === game.number)
    return known === undefined || (known.winner === null && game.winner !== null)
  })
}

/** Scenes follow by themselves only what has happened since the overlay was pointed, and since somebody chose a scene. (OV14) */
export function isNewer({ seq }: Advance, { pointedSeq, sceneSeq }: Advancing): boolean {
  return seq > pointedSeq && seq > sceneSeq
}

/** What an overlay shows, with what decides about what comes next. */
export interface Advancing extends Pick<Control, 'overlayGuid' | 'scene' | 'autoAdvance' | 'autoDelayMs'> {
  readonly tournamentGuid: string
  readonly matchGuid: string | null
  readonly pointedSeq: number
  readonly sceneSeq: number
  /** Id of the scene that is shown next, if nothing comes in between. */
  readonly advanceTo: string | null
  /** Whether the time for it has come, by the clock of the database. */
  readonly isDue: boolean
}

/** Id of the first scene of a role, by order; null where there is none. (OV14) */
export function sceneOfRole({ scenes }: SceneDocument, role: SceneRole): string | null {
  return inOrder(scenes).find(([, scene]) => scene.role === role)?.[0] ?? null
}

/** What is shown: the scene that was set or, where none was that the document has, its first. (overlays: Details) */
export function shownScene(scene: string | null, { scenes }: Pick<SceneDocument, 'scenes'>): string | null {
  return scene !== null && Object.hasOwn(scenes, scene) ? scene : (inOrder(scenes)[0]?.[0] ?? null)
}
