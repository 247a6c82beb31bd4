import { emit } from '../../../../infra/events/emit.ts'
import type { MediaField } from '../../../../infra/media/fields.ts'
import { endUsage } from '../../../../infra/media/usages.ts'
import { platformAdministrators } from '../policy.ts'
import { findRole, imageColumn, listNames } from '../store/media.ts'
import { lockPlatform, updatePlatform } from '../store/platforms.ts'
import { platformsTag } from '../views.ts'

const subject = 'platform'
const field = 'imageUrl'

/** The picture of a platform, as whoever manages media sees it: to be unset by its administrators. */
export const platformMediaFields: readonly MediaField[] = [
  {
    ...{ subject, field, kept: imageColumn },
    names: listNames,
    mayDetach: async (db, actor, guid) =>
      platformAdministrators.allows({ ...actor, platformRole: await findRole(db, guid, actor.guid) }, {}),
    detach: async (tx, guid, { mediaGuid, actorGuid, now }) => {
      const platform = await lockPlatform(tx, guid)
      if (platform === undefined) return false
      if (!(await endUsage(tx, { subject, subjectGuid: guid, field, mediaGuid }, now))) return false
      await updatePlatform(tx, guid, { ...platform, imageUrl: '' }, now)
      emit(tx, {
        type: 'platform.updated',
        subject: guid,
        actor: actorGuid,
        before: { imageUrl: platform.imageUrl },
        after: { imageUrl: '' },
        touches: [platformsTag],
      })
      return true
    },
  },
]
