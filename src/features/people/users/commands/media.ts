import { emit } from '../../../../infra/events/emit.ts'
import type { MediaField } from '../../../../infra/media/fields.ts'
import { withoutMedia } from '../../../../infra/media/references.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { endUsage } from '../../../../infra/media/usages.ts'
import { mayAdminister } from '../policy.ts'
import { chatAvatarOf } from '../rules/avatar.ts'
import { avatarColumn, descriptionColumn, listNames } from '../store/media.ts'
import { findUserByGuid, lockUser, updateUser } from '../store/users.ts'

const subject = 'user'

/**
 * The pictures of users and in their descriptions. Media managers see them here. The user and administrators who may
 * change the account may remove them.
 */
export const userMediaFields: readonly MediaField[] = [
  mediaField('avatarUrl', avatarColumn),
  mediaField('description', descriptionColumn),
]

function mediaField(field: 'avatarUrl' | 'description', kept: MediaColumn): MediaField {
  return {
    ...{ subject, field, kept },
    names: listNames,
    mayDetach: async (db, actor, guid) => {
      if (guid === actor.guid) return true
      const user = await findUserByGuid(db, guid)
      return user !== undefined && mayAdminister(actor, user)
    },
    detach: async (tx, guid, { mediaGuid, actorGuid, services, now }) => {
      const user = await lockUser(tx, guid)
      if (user === undefined) return false
      if (!(await endUsage(tx, { subject, subjectGuid: guid, field, mediaGuid }, now))) return false
      const { chat, media } = services.config
      const after = kept.isText ? withoutMedia(media.url, user.description, mediaGuid) : chatAvatarOf(user, chat.cdnUrl)
      await updateUser(tx, guid, { [field]: after }, now)
      emit(tx, { type: 'user.updated', subject: guid, actor: actorGuid })
      return true
    },
  }
}
