import { emit } from '../../../../infra/events/emit.ts'
import type { MediaField } from '../../../../infra/media/fields.ts'
import { endUsage } from '../../../../infra/media/usages.ts'
import { lockBadge, updateBadge } from '../store/badges.ts'
import { imageColumn, listNames } from '../store/media.ts'
import { pictureUse } from './pictures.ts'

/**
 * The picture of a badge, as whoever manages media sees it. A badge requires one, so that nobody unsets it: a manager gives the
 * badge another picture first. What is taken down goes all the same; the badge has no picture then until it is given another.
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
