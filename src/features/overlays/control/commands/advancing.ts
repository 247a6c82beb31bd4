import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { findPublished } from '../../sceneDocuments/store/drafts.ts'
import { type Advance, type Advancing, concerns, isNewer, sceneOfRole, shownScene } from '../rules.ts'
import { isChosenSince, lockAdvancing, lockPointing, type Next, writeAdvance } from '../store/advancing.ts'

/**
 * Advances the scenes of overlays that point at the changed matches or belong to the changed tournaments, and have
 * `autoAdvance`. Of several changes, the last one counts. (OV14)
 */
export async function followMatches(tx: Tx, advances: readonly Advance[]): Promise<void> {
  const matches = advances.flatMap(({ about }) => ('match' in about ? about.match : []))
  const tournaments = advances.flatMap(({ about }) => ('tournament' in about ? about.tournament : []))
  const pointing = await lockPointing(tx, { matches, tournaments })
  for (const overlay of pointing) {
    const last = advances.findLast((advance) => concerns(advance, overlay) && isNewer(advance, overlay))
    if (last === undefined || !overlay.autoAdvance) continue
    if (await isChosenSince(tx, overlay, last.seq)) continue
    // Read under the lock: publishing another document also checks the scene under it.
    const document = (await findPublished(tx, overlay.overlayGuid))?.document
    if (document === undefined) continue
    const following = last.next === null ? null : sceneOfRole(document, last.next)
    const next = following === null ? null : { to: following, inMs: overlay.autoDelayMs }
    await show(tx, overlay, document, sceneOfRole(document, last.to), next)
  }
}

/**
 * Shows the scene that is due after the delay, unless it was postponed, shown by another process already, or cannot be
 * shown any more. (OV14)
 */
export async function advanceDue(tx: Tx, overlayGuid: string): Promise<void> {
  const overlay = await lockAdvancing(tx, overlayGuid)
  if (overlay === undefined || overlay.advanceTo === null || !overlay.isDue) return
  const document = (await findPublished(tx, overlayGuid))?.document
  const isStill = overlay.autoAdvance && overlay.matchGuid !== null
  const isThere = document !== undefined && Object.hasOwn(document.scenes, overlay.advanceTo)
  if (!isThere || !isStill) return writeAdvance(tx, overlayGuid, undefined, null)
  await show(tx, overlay, document, overlay.advanceTo, null)
}

/** @param scene null if the document has no scene for the role; then the shown scene stays */
async function show(
  tx: Tx,
  { overlayGuid, tournamentGuid, scene: chosen, advanceTo }: Advancing,
  document: SceneDocument,
  scene: string | null,
  next: Next | null,
): Promise<void> {
  const before = shownScene(chosen, document)
  if (scene === null || scene === before) {
    if (next !== null || advanceTo !== null) await writeAdvance(tx, overlayGuid, undefined, next)
    return
  }
  await writeAdvance(tx, overlayGuid, scene, next)
  emit(tx, {
    type: 'overlay.control_changed',
    subject: overlayGuid,
    tournament: tournamentGuid,
    actor: null,
    before: { scene: before },
    after: { scene },
  })
}
