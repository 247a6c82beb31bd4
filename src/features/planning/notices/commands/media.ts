import { emit } from '../../../../infra/events/emit.ts'
import type { MediaField } from '../../../../infra/media/fields.ts'
import { withoutMedia } from '../../../../infra/media/references.ts'
import { endUsage } from '../../../../infra/media/usages.ts'
import { noticesTag } from '../events.ts'
import { noticeManagers } from '../policy.ts'
import { contentColumn, listTitles } from '../store/media.ts'
import { findNotice, lockNotices, updateNotice } from '../store/notices.ts'

const subject = 'notice'
const field = 'content'

/** The pictures of notices. Media managers see them here, and users who manage notices may remove them. */
export const noticeMediaFields: readonly MediaField[] = [
  {
    ...{ subject, field, kept: contentColumn },
    names: async (db, guids, actor) => (noticeManagers.allows(actor, {}) ? listTitles(db, guids) : new Map()),
    mayDetach: async (_db, actor) => noticeManagers.allows(actor, {}),
    detach: async (tx, guid, { mediaGuid, actorGuid, services, now }) => {
      await lockNotices(tx)
      const before = await findNotice(tx, guid)
      if (before === undefined) return false
      if (!(await endUsage(tx, { subject, subjectGuid: guid, field, mediaGuid }, now))) return false
      const content = withoutMedia(services.config.media.url, before.content, mediaGuid)
      await updateNotice(tx, guid, { ...before, content }, now)
      emit(tx, {
        ...{ type: 'notice.updated', subject: guid, actor: actorGuid, touches: [noticesTag] },
        ...{ before: { content: before.content }, after: { content } },
      })
      return true
    },
  },
]
