import type { SignedIn } from '../../../../core/actor.ts'
import { withoutAsset } from '../../../../engine/scenes/assets.ts'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import type { Detaching, MediaField } from '../../../../infra/media/fields.ts'
import { endUsage } from '../../../../infra/media/usages.ts'
import { mayEdit } from '../../overlays/policy.ts'
import { actorIn, readOverlayNames } from '../../overlays/queries.ts'
import { findOverlay, keepOverlay } from '../../overlays/store/overlays.ts'
import { type AssetField, assetFields, assetSubject } from '../../sceneDocuments/commands/media.ts'
import { openDraft, replaceDocument } from '../../sceneDocuments/commands/replacing.ts'
import { type DraftRow, lockDraft } from '../../sceneDocuments/store/updates.ts'

/**
 * The media of overlay documents, for the management of media. Editors of a draft may remove media from it. Media of
 * published or kept versions cannot be removed: a version is the document at its revision, pages show it and it can be
 * restored. Its media are free only when the version is deleted. A takedown deletes the medium anyway: it does not
 * change versions, and pages show nothing in its place.
 */
export const scenesMediaFields: readonly MediaField[] = assetFields.map(mediaField)

function mediaField(field: AssetField): MediaField {
  return {
    ...{ subject: assetSubject, field, kept: null },
    names: readOverlayNames,
    mayDetach: async (db, actor, guid) => field === 'draft' && mayEditDraft(db, actor, guid),
    detach: async (tx, guid, detaching) => {
      const { mediaGuid, now } = detaching
      const overlay = await keepOverlay(tx, guid)
      const draft = await lockDraft(tx, guid)
      if (overlay === undefined || draft === undefined) return false
      if (!(await endUsage(tx, { subject: assetSubject, subjectGuid: guid, field, mediaGuid }, now))) return false
      if (field === 'draft') await takeOut(tx, draft, overlay.tournamentGuid, detaching)
      return true
    },
  }
}

async function mayEditDraft(db: Db, actor: SignedIn, guid: string): Promise<boolean> {
  const overlay = await findOverlay(db, guid)
  const there = overlay && (await actorIn(db, actor, overlay.tournamentGuid))
  return overlay !== undefined && there !== undefined && mayEdit(there, overlay)
}

/** Other editors of the draft see the removal as an edit of another user. */
async function takeOut(
  tx: Tx,
  draft: DraftRow,
  tournament: string,
  { mediaGuid, actorGuid: by, now }: Detaching,
): Promise<void> {
  const { document } = await openDraft(tx, draft)
  await replaceDocument(tx, draft, withoutAsset(document, mediaGuid), { tournament, by, now })
}
