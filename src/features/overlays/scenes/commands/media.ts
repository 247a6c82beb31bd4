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
 * The media that documents of overlays show, as whoever manages media sees them. Who edits a draft may take them out of it. What is
 * published or kept is changed by nobody: a version is the document at its revision, which pages go on showing and which can be
 * restored, so that its media go with it alone. What is taken down goes all the same: versions are not changed by that either, and
 * pages show nothing where it was.
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

/** Whoever edits the draft sees it go as an edit of somebody else. */
async function takeOut(
  tx: Tx,
  draft: DraftRow,
  tournament: string,
  { mediaGuid, actorGuid: by, now }: Detaching,
): Promise<void> {
  const { document } = await openDraft(tx, draft)
  await replaceDocument(tx, draft, withoutAsset(document, mediaGuid), { tournament, by, now })
}
