import { type Actor, type Audience, playersAudience, publicAudience } from '../../../core/actor.ts'
import { staffAudience } from '../../tournaments/access/policy.ts'
import { isInside } from '../overlays/policy.ts'
import type { Overlay } from '../overlays/types.ts'

/** Staff, editors and pages with a token of the overlay see what goes on air without the delay of outsiders. (overlays: Data tree) */
export function isOnAir(actor: Actor, overlay: Pick<Overlay, 'guid' | 'editors'>): boolean {
  return actor.view?.overlayGuid === overlay.guid || isInside(actor, overlay)
}

const overlayOf = (records: Readonly<Record<string, unknown>>) => records.overlay as Overlay

/** Staff and editors are told who changed it; editors who are no staff are told of events as everybody is. */
export const controlAudience: Audience = (actor, records) => {
  const audience = staffAudience(actor, records)
  const isEditor = audience === publicAudience && isInside(actor, overlayOf(records))
  return isEditor ? `${playersAudience}editors` : audience
}

/** Whoever makes the stream sees it at once. */
export const onAirAudience: Audience = (actor, records) =>
  isOnAir(actor, overlayOf(records)) ? `${playersAudience}on-air` : publicAudience
