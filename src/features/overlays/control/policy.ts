import { type Actor, type Audience, playersAudience, publicAudience } from '../../../core/actor.ts'
import { staffAudience } from '../../tournaments/access/policy.ts'
import { isInside } from '../overlays/policy.ts'
import type { Overlay } from '../overlays/types.ts'

/**
 * Staff, editors and pages with a token of the overlay see the data without the delay for outsiders.
 * (overlays: Data tree)
 */
export function isOnAir(actor: Actor, overlay: Pick<Overlay, 'guid' | 'editors'>): boolean {
  return isPageOf(actor, overlay) || isInside(actor, overlay)
}

function isPageOf({ view }: Actor, { guid }: Pick<Overlay, 'guid'>): boolean {
  return view?.overlayGuid === guid
}

/** Without a record, the audience is asked for overlays in general. */
const overlayOf = ({ overlay }: Readonly<Record<string, unknown>>): Pick<Overlay, 'guid' | 'editors'> =>
  (overlay as Overlay | undefined) ?? { guid: '', editors: [] }

/**
 * Staff and editors see who changed the control state. Editors without a staff role receive events as everybody does.
 */
export const controlAudience: Audience = (actor, records) => {
  const audience = staffAudience(actor, records)
  const isEditor = audience === publicAudience && isInside(actor, overlayOf(records))
  return isEditor ? `${playersAudience}editors` : audience
}

/**
 * Groups actors who see the data without the delay. Pages with a token are a group of their own, although they see the
 * same data as people: people who ask for the viewers' state get the public one. Pages do not, because the public may
 * not even find the overlay.
 */
export const onAirAudience: Audience = (actor, records) => {
  const overlay = overlayOf(records)
  if (isPageOf(actor, overlay)) return `${playersAudience}pages`
  return isInside(actor, overlay) ? `${playersAudience}on-air` : publicAudience
}
