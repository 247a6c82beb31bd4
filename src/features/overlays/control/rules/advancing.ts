import type { EventOf, EventType } from '../../../../core/events.ts'
import type { SceneDocument, SceneRole } from '../../../../engine/scenes/document.ts'
import { inOrder } from '../../../../engine/scenes/order.ts'
import type { LoggedEvent } from '../../../../infra/events/logged.ts'
import type { Control } from '../types.ts'

/** What matches and tournaments go on by, as far as scenes follow them. */
export const advancingTypes = [
  'flow.begun',
  'assistant.song_started',
  'match.game_reported',
  'match.completed',
  'tournament.status_changed',
] as const satisfies readonly EventType[]

export type AdvancingEvent = LoggedEvent<EventOf<(typeof advancingTypes)[number]>>

/** What is to be shown by now. */
export interface Advance {
  /** GUID of the match whose overlays show it; of a tournament, those that point at any match of it. */
  readonly about: { readonly match: string } | { readonly tournament: string }
  /** Of the event that it follows. */
  readonly seq: number
  readonly to: SceneRole
  /** What follows on it after the delay of the overlay. */
  readonly next: SceneRole | null
}

/**
 * A session that begins is shown by the scene of picks and bans, a song by that of gameplay, the result of a map by the summary, after
 * which picks and bans come back, and the end of the match by the summary. Once the tournament is completed its winners are shown: they
 * are there no sooner. (OV14; overlays: What proves it, 13)
 * @returns null for what moves nothing, such as a result that is put right
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

/** Whether a map has a result that had none: one that is put right is told by the same event. */
function isNewResult(before: Games = [], after: Games = []): boolean {
  return after.some((game) => {
    const known = before.find(({ number }) => number === game.number)
    return known === undefined || (known.winner === null && game.winner !== null)
  })
}

/** Whether it is to be shown by an overlay, as it points now. */
export function concerns({ about }: Advance, { matchGuid, tournamentGuid }: Advancing): boolean {
  return 'match' in about ? about.match === matchGuid : matchGuid !== null && about.tournament === tournamentGuid
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
