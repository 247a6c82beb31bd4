import type { SignedIn } from '../../../../core/actor.ts'
import { withoutAsset } from '../../../../engine/scenes/assets.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { type MediaField, mediaField } from '../../../../infra/media/fields.ts'
import { mayEdit } from '../../overlays/policy.ts'
import { actorIn, readOverlayNames } from '../../overlays/queries.ts'
import { findOverlay, lockOverlayForShare } from '../../overlays/store/overlays.ts'
import { type AssetField, assetFields, assetSubject } from '../../sceneDocuments/commands/media.ts'
import { openDraft, replaceDocument } from '../../sceneDocuments/commands/replacing.ts'
import { lockDraft } from '../../sceneDocuments/store/updates.ts'

/**
 * The media of overlay documents, for the management of media. Editors of a draft may remove media from it. Media of
 * published or kept versions cannot be removed: a version is the document at its revision, pages show it and it can be
 * restored. Its media are free only when the version is deleted. A takedown deletes the medium anyway: it does not
 * change versions, and pages show nothing in its place.
 */
export const scenesMediaFields: readonly MediaField[] = assetFields.map(fieldOf)

function fieldOf(field: AssetField): MediaField {
  return mediaField({
    subject: assetSubject,
    field,
    kept: null,
    names: readOverlayNames,
    mayDetach: async (db, actor, guid) => field === 'draft' && mayEditDraft(db, actor, guid),
    lock: async (tx, guid) => {
      const overlay = await lockOverlayForShare(tx, guid)
      const draft = await lockDraft(tx, guid)
      return overlay && draft && { overlay, draft }
    },
    // Editors of the draft see it go as an edit of somebody else.
    update: async (tx, { overlay, draft }, { mediaGuid, actorGuid: by, now }) => {
      if (field !== 'draft') return null
      const { document } = await openDraft(tx, draft)
      const { tournamentGuid: tournament } = overlay
      await replaceDocument(tx, draft, withoutAsset(document, mediaGuid), { tournament, by, now })
      return null
    },
  })
}

async function mayEditDraft(db: Db, actor: SignedIn, guid: string): Promise<boolean> {
  const overlay = await findOverlay(db, guid)
  const there = overlay && (await actorIn(db, actor, overlay.tournamentGuid))
  return overlay !== undefined && there !== undefined && mayEdit(there, overlay)
}
