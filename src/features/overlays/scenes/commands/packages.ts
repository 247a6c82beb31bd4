import type { SignedIn } from '../../../../core/actor.ts'
import { assetsOf } from '../../../../engine/scenes/assets.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import type { Services } from '../../../../services.ts'
import type { Overlay } from '../../overlays/types.ts'
import { useAssets } from '../../sceneDocuments/commands/media.ts'
import { documentFromPackage, type TakenAsset } from '../../sceneDocuments/commands/packages.ts'
import { replaceDocument } from '../../sceneDocuments/commands/replacing.ts'
import { saveAutomaticVersion } from '../../sceneDocuments/commands/versions.ts'
import type { PreparedPackage } from '../../sceneDocuments/prepare/packages.ts'
import { lockDraftOf } from './drafts.ts'

/**
 * Replaces the draft of an overlay with a package; what was in no version is kept as one. Other editors see this as edits
 * of another user.
 * (overlays: Operations, package)
 * @throws Problem `overlay.unknown`, `media.quota_exceeded`, `media.blocked`, `service.busy`
 */
export async function takePackage(
  tx: Tx,
  overlay: Overlay,
  prepared: PreparedPackage,
  { actor, services, now }: { readonly actor: SignedIn; readonly services: Services; readonly now: Date },
): Promise<{ readonly revision: number; readonly media: readonly TakenAsset[] }> {
  const { guid, tournamentGuid: tournament } = overlay
  const draft = await lockDraftOf(tx, overlay)
  const { document, taken } = await documentFromPackage(tx, prepared, { actor, services, now })
  // Saves the editors' work since the last version first, because they were not asked.
  await saveAutomaticVersion(tx, draft, { tournament, now })
  const revision = await replaceDocument(tx, draft, document, { tournament, by: actor.guid, now })
  await useAssets(tx, 'draft', assetsOf(document), { overlay: guid, tournament, now })
  return { revision, media: taken }
}
