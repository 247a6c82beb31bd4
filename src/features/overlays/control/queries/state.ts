import type { Actor } from '../../../../core/actor.ts'
import type { Depends } from '../../../../core/operation.ts'
import type { DataTree } from '../../../../engine/scenes/tree.ts'
import type { Db } from '../../../../infra/db/database.ts'
import type { Services } from '../../../../services.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { readTree } from '../../overlayData/queries/tree.ts'
import type { Overlay } from '../../overlays/types.ts'
import { dataTag } from '../events.ts'
import { isOnAir } from '../policy.ts'
import type { Control } from '../types.ts'
import { seenTags } from './control.ts'

export interface Reading {
  readonly db: Db
  readonly actor: Actor
  readonly tournament: Tournament
  readonly overlay: Overlay
  readonly services: Services
  readonly now: Date
}

/**
 * Returns the data that scenes are bound to: public data, without the delay for staff, editors and pages with a token,
 * and with the delay for all others.
 */
export function readData(
  { db, actor, tournament, overlay, services, now }: Reading,
  { matchGuid, swapSides, highlighted }: Control,
  depends: Depends,
): Promise<DataTree> {
  const { publicUrl } = services.config
  depends(dataTag(overlay.guid), ...seenTags(overlay))
  const isLate = !isOnAir(actor, overlay)
  return readTree(db, { tournament, matchGuid, swapSides, highlighted, isLate, publicUrl, now }, depends)
}

/**
 * Returns the live values of the match. A token of the overlay shows them even if the tournament restricts them to its
 * staff. (overlays: Data tree)
 */
export async function readLive(
  { actor, tournament, overlay, services }: Reading,
  { matchGuid }: Control,
): Promise<Record<string, unknown>> {
  const isOpen = tournament.liveScores === 'public' || isOnAir(actor, overlay)
  if (matchGuid === null || !isOpen) return {}
  return services.realtime.ephemeral.valuesOf(`/tournaments/${tournament.guid}/matches/${matchGuid}/live`)
}
