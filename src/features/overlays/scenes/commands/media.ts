import type { MediaField } from '../../../../infra/media/fields.ts'
import { endUsage } from '../../../../infra/media/usages.ts'
import { type AssetField, assetFields, assetSubject } from '../../sceneDocuments/commands/media.ts'
import { lockDraft } from '../../sceneDocuments/store/updates.ts'
import { listNames } from '../store/media.ts'

/**
 * The media that documents of overlays show, as whoever manages media sees them. Editors take them out of the scenes themselves. What is
 * taken down goes all the same: documents are not changed by that, and pages show nothing where it was.
 */
export const scenesMediaFields: readonly MediaField[] = assetFields.map(mediaField)

function mediaField(field: AssetField): MediaField {
  return {
    ...{ subject: assetSubject, field, kept: null },
    names: listNames,
    mayDetach: async () => false,
    detach: async (tx, guid, { mediaGuid, now }) => {
      if ((await lockDraft(tx, guid)) === undefined) return
      await endUsage(tx, { subject: assetSubject, subjectGuid: guid, field, mediaGuid }, now)
    },
  }
}
