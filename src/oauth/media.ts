import { emit } from '../infra/events/emit.ts'
import type { MediaField } from '../infra/media/fields.ts'
import { endUsage } from '../infra/media/usages.ts'
import { updateApplication } from './store/applications.ts'
import { findOwner, imageColumn, listNames, lockImage } from './store/media.ts'

const subject = 'application'
const field = 'imageUrl'

/** The pictures of applications in the lists of media; only the application's owner may unset one. */
export const oauthMediaFields: readonly MediaField[] = [
  {
    ...{ subject, field, kept: imageColumn },
    names: listNames,
    mayDetach: async (db, actor, guid) => (await findOwner(db, guid)) === actor.guid,
    detach: async (tx, guid, { mediaGuid, actorGuid, now }) => {
      const before = await lockImage(tx, guid)
      if (before === undefined) return false
      if (!(await endUsage(tx, { subject, subjectGuid: guid, field, mediaGuid }, now))) return false
      await updateApplication(tx, guid, { imageUrl: null }, now)
      const after = { imageUrl: null }
      emit(tx, { type: 'application.updated', subject: guid, actor: actorGuid, before, after })
      return true
    },
  },
]
