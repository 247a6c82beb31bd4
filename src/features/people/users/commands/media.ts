import { type MediaField, mediaField } from '../../../../infra/media/fields.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { mayAdminister } from '../policy.ts'
import { chatAvatarOf } from '../rules/avatar.ts'
import { avatarColumn, descriptionColumn, listNames } from '../store/media.ts'
import { findUserByGuid, lockUser, updateUser } from '../store/users.ts'

/**
 * The pictures of users and in their descriptions. Media managers see them here. The user and administrators who may
 * change the account may remove them.
 */
export const userMediaFields: readonly MediaField[] = [
  fieldOf('avatarUrl', avatarColumn),
  fieldOf('description', descriptionColumn),
]

function fieldOf(field: 'avatarUrl' | 'description', kept: MediaColumn): MediaField {
  return mediaField({
    subject: 'user',
    field,
    kept,
    names: listNames,
    mayDetach: async (db, actor, guid) => {
      if (guid === actor.guid) return true
      const user = await findUserByGuid(db, guid)
      return user !== undefined && mayAdminister(actor, user)
    },
    lock: lockUser,
    update: async (tx, user, { guid, actorGuid, without, services, now }) => {
      const after = kept.isText ? without(user.description) : chatAvatarOf(user, services.config.chat.cdnUrl)
      await updateUser(tx, guid, { [field]: after }, now)
      return { type: 'user.updated', subject: guid, actor: actorGuid }
    },
  })
}
