import { emit } from '../../../../infra/events/emit.ts'
import type { MediaField } from '../../../../infra/media/fields.ts'
import { endUsage } from '../../../../infra/media/usages.ts'
import { lockBadge, updateBadge } from '../store/badges.ts'
import { imageColumn, listNames } from '../store/media.ts'
import { pictureUse } from './pictures.ts'

/**
 * The picture of a badge, for managers of media. It cannot be removed, because a badge needs a picture: a manager of
 * badges must replace it first. Only a medium that is taken down is removed anyway; the badge then has no picture until
 * it gets another.
 */
export const badgesMediaFields: readonly MediaField[] = [
  {
    ...{ ...pictureUse, kept: imageColumn },
    names: listNames,
    mayDetach: async () => false,
    detach: async (tx, guid, { mediaGuid, actorGuid, now }) => {
      const badge = await lockBadge(tx, guid)
      if (badge === undefined) return false
      if (!(await endUsage(tx, { ...pictureUse, subjectGuid: guid, mediaGuid }, now))) return false
      await updateBadge(tx, guid, { imageUrl: '' }, now)
      emit(tx, {
        ...{ type: 'badge.updated', subject: guid, actor: actorGuid },
        ...{ before: { imageUrl: badge.imageUrl }, after: { imageUrl: '' } },
      })
      return true
    },
  },
]
