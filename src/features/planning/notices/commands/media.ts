import { type MediaField, mediaField } from '../../../../infra/media/fields.ts'
import { noticesTag } from '../events.ts'
import { noticeManagers } from '../policy.ts'
import { contentColumn, listTitles } from '../store/media.ts'
import { findNotice, lockNotices, updateNotice } from '../store/notices.ts'

/** The pictures in notices, for the management of media. Users who manage notices may remove them. */
export const noticeMediaFields: readonly MediaField[] = [
  mediaField({
    subject: 'notice',
    field: 'content',
    kept: contentColumn,
    names: async (db, guids, actor) => (noticeManagers.allows(actor, {}) ? listTitles(db, guids) : new Map()),
    mayDetach: async (_db, actor) => noticeManagers.allows(actor, {}),
    lock: async (tx, guid) => {
      await lockNotices(tx)
      return findNotice(tx, guid)
    },
    update: async (tx, before, { guid, actorGuid, without, now }) => {
      const content = without(before.content)
      await updateNotice(tx, guid, { ...before, content }, now)
      return {
        type: 'notice.updated',
        subject: guid,
        actor: actorGuid,
        touches: [noticesTag],
        before: { content: before.content },
        after: { content },
      }
    },
  }),
]
