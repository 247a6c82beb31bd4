import { emit } from '../../../../infra/events/emit.ts'
import type { MediaField } from '../../../../infra/media/fields.ts'
import { withoutMedia } from '../../../../infra/media/references.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { endUsage } from '../../../../infra/media/usages.ts'
import { platformAdministrators } from '../policy.ts'
import { descriptionColumn, findRole, imageColumn, listNames } from '../store/media.ts'
import { lockPlatform, updatePlatform } from '../store/platforms.ts'
import { platformsTag } from '../views.ts'

const subject = 'platform'

/**
 * The pictures of a platform and of its description in the media administration. The platform's administrators may
 * remove them.
 */
export const platformMediaFields: readonly MediaField[] = [
  mediaField('imageUrl', imageColumn),
  mediaField('description', descriptionColumn),
]

function mediaField(field: 'imageUrl' | 'description', kept: MediaColumn): MediaField {
  return {
    ...{ subject, field, kept },
    names: listNames,
    mayDetach: async (db, actor, guid) =>
      platformAdministrators.allows({ ...actor, platformRole: await findRole(db, guid, actor.guid) }, {}),
    detach: async (tx, guid, { mediaGuid, actorGuid, services, now }) => {
      const platform = await lockPlatform(tx, guid)
      if (platform === undefined) return false
      if (!(await endUsage(tx, { subject, subjectGuid: guid, field, mediaGuid }, now))) return false
      const after = kept.isText ? withoutMedia(services.config.media.url, platform[field], mediaGuid) : ''
      await updatePlatform(tx, guid, { ...platform, [field]: after }, now)
      emit(tx, {
        type: 'platform.updated',
        subject: guid,
        actor: actorGuid,
        before: { [field]: platform[field] },
        after: { [field]: after },
        touches: [platformsTag],
      })
      return true
    },
  }
}
