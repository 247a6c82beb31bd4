import { emit } from '../../../../infra/events/emit.ts'
import type { MediaField } from '../../../../infra/media/fields.ts'
import { endUsage } from '../../../../infra/media/usages.ts'
import { mayAdminister } from '../policy.ts'
import { chatAvatarOf } from '../rules/avatar.ts'
import { avatarColumn, listNames } from '../store/media.ts'
import { findUserByGuid, lockUser, updateUser } from '../store/users.ts'

const subject = 'user'
const field = 'avatarUrl'

/** The pictures of users, as whoever manages media sees them: each to be unset by the user, and by who may change accounts. */
export const userMediaFields: readonly MediaField[] = [
  {
    ...{ subject, field, kept: avatarColumn },
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
      await updateUser(tx, guid, { avatarUrl: chatAvatarOf(user, services.config.chat.cdnUrl) }, now)
      emit(tx, { type: 'user.updated', subject: guid, actor: actorGuid })
      return true
    },
  },
]
