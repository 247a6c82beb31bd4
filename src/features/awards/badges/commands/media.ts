import { type MediaField, mediaField } from '../../../../infra/media/fields.ts'
import { lockBadge, updateBadge } from '../store/badges.ts'
import { imageColumn, listNames } from '../store/media.ts'
import { pictureUse } from './pictures.ts'

/**
 * The picture of a badge, for managers of media. It cannot be removed, because a badge needs a picture: a manager of
 * badges must replace it first. Only a medium that is taken down is removed anyway; the badge then has no picture until
 * it gets another.
 */
export const badgesMediaFields: readonly MediaField[] = [
  mediaField({
    ...pictureUse,
    kept: imageColumn,
    names: listNames,
    mayDetach: async () => false,
    lock: lockBadge,
    update: async (tx, { imageUrl }, { guid, actorGuid, now }) => {
      const after = { imageUrl: '' }
      await updateBadge(tx, guid, after, now)
      return { type: 'badge.updated', subject: guid, actor: actorGuid, before: { imageUrl }, after }
    },
  }),
]
