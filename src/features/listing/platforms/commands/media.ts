import { type MediaField, mediaField } from '../../../../infra/media/fields.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { platformAdministrators } from '../policy.ts'
import { descriptionColumn, findRole, imageColumn, listNames, lockPlatform, updatePlatform } from '../store.ts'
import { platformsTag } from '../views.ts'

/**
 * The picture of a platform and those in its description, for the management of media. The platform's administrators may
 * remove them.
 */
export const platformMediaFields: readonly MediaField[] = [
  fieldOf('imageUrl', imageColumn),
  fieldOf('description', descriptionColumn),
]

function fieldOf(field: 'imageUrl' | 'description', kept: MediaColumn): MediaField {
  return mediaField({
    subject: 'platform',
    field,
    kept,
    names: listNames,
    mayDetach: async (db, actor, guid) =>
      platformAdministrators.allows({ ...actor, platformRole: await findRole(db, guid, actor.guid) }, {}),
    lock: lockPlatform,
    update: async (tx, platform, { guid, actorGuid, without, now }) => {
      const after = { [field]: kept.isText ? without(platform[field]) : '' }
      await updatePlatform(tx, guid, { ...platform, ...after }, now)
      return {
        type: 'platform.updated',
        subject: guid,
        actor: actorGuid,
        touches: [platformsTag],
        before: { [field]: platform[field] },
        after,
      }
    },
  })
}
