import type { EventType } from '../../../../core/events.ts'
import { kindTag } from '../../../../core/events.ts'
import type { Depends } from '../../../../core/operation.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { playedTag, userCard } from '../../../people/users/views/card.ts'
import type { Overlay } from '../../overlays/types.ts'
import { findPublished } from '../../sceneDocuments/store/drafts.ts'
import { shownScene, untouched } from '../rules/control.ts'
import { findSet } from '../store/control.ts'
import type { Control } from '../types.ts'
import { type ControlView, controlView } from '../views/control.ts'

/** Whether an overlay is there for whoever asks; what is read of it does not depend on the tournament, which everything touches. */
const seen = [
  ...(['tournament.updated', 'tournament.status_changed', 'tournament.deleted'] as const),
  ...(['overlay.updated', 'overlay.deleted'] as const),
] satisfies readonly EventType[]
/** Matches go with their bracket, and nothing of the overlay is touched then. */
const ends = ['bracket.generated', 'bracket.deleted', 'division.deleted'] as const satisfies readonly EventType[]

export function seenTags({ tournamentGuid }: Pick<Overlay, 'tournamentGuid'>): string[] {
  return seen.map((type) => kindTag(tournamentGuid, type))
}

/** What an overlay shows; with the usual settings where nothing was set. */
export async function readControl(db: Db, overlay: string): Promise<Control> {
  return (await findSet(db, overlay)) ?? untouched(overlay)
}

/** The same as it is told. */
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

/** What was set is in the published document, which publishing sees to: only where nothing was, that is looked at. */
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
