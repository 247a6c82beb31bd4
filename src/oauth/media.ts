import { type MediaField, mediaField } from '../infra/media/fields.ts'
import { updateApplication } from './store/applications.ts'
import { findOwner, imageColumn, listNames, lockImage } from './store/media.ts'

/** The pictures of applications, for the management of media. The owner of an application may remove its picture. */
export const oauthMediaFields: readonly MediaField[] = [
  mediaField({
    subject: 'application',
    field: 'imageUrl',
    kept: imageColumn,
    names: listNames,
    mayDetach: async (db, actor, guid) => (await findOwner(db, guid)) === actor.guid,
    lock: lockImage,
    update: async (tx, before, { guid, actorGuid, now }) => {
      const after = { imageUrl: null }
      await updateApplication(tx, guid, after, now)
      return { type: 'application.updated', subject: guid, actor: actorGuid, before, after }
    },
  }),
]
