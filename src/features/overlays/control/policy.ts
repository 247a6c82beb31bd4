import { type Actor, type Audience, playersAudience, publicAudience } from '../../../core/actor.ts'
import { staffAudience } from '../../tournaments/access/policy.ts'
import { isInside } from '../overlays/policy.ts'
import type { Overlay } from '../overlays/types.ts'

/** Staff, editors and pages with a token of the overlay see what goes on air without the delay of outsiders. (overlays: Data tree) */
export function isOnAir(actor: Actor, overlay: Pick<Overlay, 'guid' | 'editors'>): boolean {
  return isPageOf(actor, overlay) || isInside(actor, overlay)
}

function isPageOf({ view }: Actor, { guid }: Pick<Overlay, 'guid'>): boolean {
  return view?.overlayGuid === guid
}

/** Where no record is given it is told of overlays as such. */
const overlayOf = ({ overlay }: Readonly<Record<string, unknown>>): Pick<Overlay, 'guid' | 'editors'> =>
  (overlay as Overlay | undefined) ?? { guid: '', editors: [] }

/** Staff and editors are told who changed it; editors who are no staff are told of events as everybody is. */
export const controlAudience: Audience = (actor, records) => {
  const audience = staffAudience(actor, records)
  const isEditor = audience === publicAudience && isInside(actor, overlayOf(records))
  return isEditor ? `${playersAudience}editors` : audience
}

/**
 * Whoever makes the stream sees it at once. Pages are told apart from people, although they see the same: asked for what viewers see,
 * people are shown what strangers are, and pages, whom strangers' rights would not even let find the overlay, are not.
 */
export const onAirAudience: Audience = (actor, records) => {
  const overlay = overlayOf(records)
  if (isPageOf(actor, overlay)) return `${playersAudience}pages`
  return isInside(actor, overlay) ? `${playersAudience}on-air` : publicAudience
}
