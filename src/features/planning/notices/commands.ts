import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../core/actor.ts'
import { membersOf } from '../../../core/events.ts'
import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { missing, type Problem } from '../../../core/problem.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { type MediaField, mediaField } from '../../../infra/media/fields.ts'
import { useShown } from '../../../infra/media/texts.ts'
import { endUsages } from '../../../infra/media/usages.ts'
import { noticesTag } from './events.ts'
import { noticeManagers } from './policy.ts'
import { checkRoom, checkSomethingGiven, defaults, hasEnded, type NoticeInput, readNotice } from './rules.ts'
import * as store from './store.ts'
import { contentColumn, findNotice, listTitles, lockNotices, updateNotice } from './store.ts'
import { type Notice, noticeSettings } from './types.ts'

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

/** @throws Problem `notice.invalid`, `notice.limit_reached` */
export async function createNotice(tx: Tx, actor: SignedIn, input: NoticeInput, now: Date): Promise<Notice> {
  const settings = readNotice(input, defaults(now), now)
  await store.lockNotices(tx)
  if (!hasEnded(settings, now)) checkRoom(await store.countCurrent(tx, now, null))
  const notice = await store.insertNotice(tx, { ...settings, createdByGuid: actor.guid }, now)
  await useContent(tx, actor, notice, now)
  emit(tx, {
    type: 'notice.created',
    subject: notice.guid,
    actor: actor.guid,
    after: membersOf(notice, noticeSettings),
    touches: [noticesTag],
  })
  return notice
}

/**
 * Changes the given members. If none differs from the current state, nothing is saved.
 * @throws Problem `notice.unknown`, `notice.nothing_given`, `notice.invalid`, `notice.limit_reached`
 */
export async function changeNotice(
  tx: Tx,
  actor: SignedIn,
  identifier: string,
  input: NoticeInput,
  now: Date,
): Promise<Notice> {
  const guid = readGuid(identifier)
  await store.lockNotices(tx)
  const before = await store.findNotice(tx, guid)
  if (before === undefined) throw unknown()
  checkSomethingGiven(input)
  const next = readNotice(input, before, now)
  const names = noticeSettings.filter((name) => !isDeepStrictEqual(next[name], before[name]))
  if (names.length === 0) return before
  if (!hasEnded(next, now)) checkRoom(await store.countCurrent(tx, now, guid))
  const changed = await store.updateNotice(tx, guid, next, now)
  if (changed === undefined) throw unknown()
  if (names.includes('content')) await useContent(tx, actor, changed, now)
  emit(tx, {
    type: 'notice.updated',
    subject: guid,
    actor: actor.guid,
    before: membersOf(before, names),
    after: membersOf(changed, names),
    touches: [noticesTag],
  })
  return changed
}

/** @throws Problem `notice.unknown` */
export async function deleteNotice(tx: Tx, actor: SignedIn, identifier: string, now: Date): Promise<void> {
  const deleted = await store.deleteNotice(tx, readGuid(identifier))
  if (deleted === undefined) throw unknown()
  await endUsages(tx, [deleted.guid], now)
  emit(tx, {
    type: 'notice.deleted',
    subject: deleted.guid,
    actor: actor.guid,
    before: membersOf(deleted, noticeSettings),
    touches: [noticesTag],
  })
}

async function useContent(tx: Tx, actor: SignedIn, { guid, content }: Notice, now: Date): Promise<void> {
  await useShown(tx, { subject: 'notice', subjectGuid: guid }, { content }, { room: { owners: [actor.guid] }, now })
}

function readGuid(identifier: string): string {
  if (!isGuid(identifier)) throw unknown()
  return normaliseGuid(identifier)
}

function unknown(): Problem {
  return missing('notice.unknown', 'There is no such notice.')
}
