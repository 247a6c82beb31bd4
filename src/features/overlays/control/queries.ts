import type { Actor } from '../../../core/actor.ts'
import { type EventType, kindTag } from '../../../core/events.ts'
import type { Depends } from '../../../core/operation.ts'
import type { DataTree } from '../../../engine/scenes/tree.ts'
import type { Db } from '../../../infra/db/database.ts'
import { showsHorizonOf } from '../../../infra/held/store.ts'
import type { Services } from '../../../services.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { playedTag, userCard } from '../../people/users/views.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { readTree } from '../overlayData/queries/tree.ts'
import type { Overlay } from '../overlays/types.ts'
import { findPublished } from '../sceneDocuments/store/drafts.ts'
import { dataTag } from './events.ts'
import { isOnAir } from './policy.ts'
import { shownScene, untouched } from './rules.ts'
import { findSet } from './store/control.ts'
import type { Control } from './types.ts'
import { type ControlView, controlView } from './views.ts'

/**
 * Events that may change whether the caller may see the overlay. The answers do not depend on the whole tournament,
 * which every event touches.
 */
const seen = [
  ...(['tournament.updated', 'tournament.status_changed', 'tournament.deleted'] as const),
  ...(['overlay.updated', 'overlay.deleted'] as const),
] satisfies readonly EventType[]
/** These delete matches without an event of the overlay. */
const ends = ['bracket.generated', 'bracket.deleted', 'division.deleted'] as const satisfies readonly EventType[]

export function seenTags({ tournamentGuid }: Pick<Overlay, 'tournamentGuid'>): string[] {
  return seen.map((type) => kindTag(tournamentGuid, type))
}

/** Returns the control state of an overlay; the defaults if nothing was set. */
export async function readControl(db: Db, overlay: string): Promise<Control> {
  return (await findSet(db, overlay)) ?? untouched(overlay)
}

/** Returns the view of a control state. */
export async function readControlView(
  db: Db,
  overlay: Overlay,
  control: Control,
  { isInside }: { readonly isInside: boolean },
): Promise<ControlView> {
  const { updatedBy } = control
  const [scene, users] = await Promise.all([
    readScene(db, control),
    listUserFacts(db, isInside && updatedBy !== null ? [updatedBy] : []),
  ])
  const facts = users.get(updatedBy ?? '')
  const card = facts === undefined ? null : userCard(facts)
  return controlView(control, overlay, isInside ? { scene, updatedBy: card } : { scene })
}

/**
 * The stored scene is always in the published document, because publishing ensures it. So the document is read only if
 * no scene is set.
 */
async function readScene(db: Db, { overlayGuid, scene }: Control): Promise<string | null> {
  return scene ?? shownScene(null, (await findPublished(db, overlayGuid))?.document)
}

export function dependOnControl(depends: Depends, overlay: Overlay, control: Control): void {
  const { matchGuid, highlighted, updatedBy } = control
  depends(overlay.guid, ...seenTags(overlay), ...matchEnds(overlay, matchGuid !== null || highlighted.length > 0))
  if (updatedBy !== null) depends(updatedBy, playedTag)
}

function matchEnds({ tournamentGuid }: Overlay, hasMatches: boolean): string[] {
  return hasMatches ? ends.map((type) => kindTag(tournamentGuid, type)) : []
}

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
  { db, actor, tournament, overlay, services }: Reading,
  { matchGuid }: Control,
): Promise<Record<string, unknown>> {
  const isOpen = tournament.liveScores === 'public' || isOnAir(actor, overlay)
  if (matchGuid === null || !isOpen || (await showsHorizonOf(db, tournament.guid))) return {}
  return services.realtime.ephemeral.valuesOf(`/tournaments/${tournament.guid}/matches/${matchGuid}/live`)
}
