import type { SignedIn } from '../../../core/actor.ts'
import { placeOf } from '../../../infra/clock/store.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { record } from '../../../infra/outbox/sending.ts'
import { notificationsTag } from './events.ts'
import { judgeNotice } from './rules.ts'
import * as store from './store.ts'
import type { DatedNotification, NewNotification, Notice, Renaming } from './types.ts'
import { recordedNotices } from './views.ts'

/** Marks the actor's own notifications as read; those of other users are ignored. Returns how many were marked. */
export async function markRead(tx: Tx, actor: SignedIn, which: readonly string[] | 'all', now: Date): Promise<number> {
  const read = await store.markRead(tx, actor.guid, which, now)
  if (read > 0) {
    emit(tx, {
      type: 'notification.read',
      subject: actor.guid,
      actor: actor.guid,
      after: { read },
      touches: [notificationsTag(actor.guid)],
    })
  }
  return read
}

/** Notifies a user, unless it is a placeholder, in the transaction of the change that the notification is about. */
export async function notify(tx: Tx, notification: NewNotification): Promise<void> {
  await deliver(tx, [notification])
}

/**
 * Notifies several users, in the transaction of the change that the notifications are about. Deleted accounts get none.
 */
export async function notifyAll(tx: Tx, notifications: readonly DatedNotification[]): Promise<void> {
  await deliver(tx, notifications)
}

/** In a rehearsal, notifications are recorded in place of being inserted. (R3) */
async function deliver(
  tx: Tx,
  notifications: readonly (NewNotification & Partial<DatedNotification>)[],
): Promise<void> {
  if (notifications.length === 0) return
  const place = placeOf(tx)
  if (place !== null) {
    const names = await store.mapNames(
      tx,
      notifications.map(({ userGuid }) => userGuid),
    )
    return record(tx, place, recordedNotices(notifications, names, place.instant), judgeNotice)
  }
  await store.insertNotifications(tx, notifications)
  const touches = [...new Set(notifications.map(({ userGuid }) => notificationsTag(userGuid)))]
  emit(tx, { type: 'notification.created', subject: null, actor: null, touches })
}

/** Sends the same notification to several users. */
export async function notifyEach(tx: Tx, userGuids: readonly string[], notice: Notice, now: Date): Promise<void> {
  await notifyAll(
    tx,
    userGuids.map((userGuid) => ({ ...notice, userGuid, createdAt: now })),
  )
}

/**
 * Replaces the names of renamed teams in notifications. Returns the tags that the event of the renaming has to touch.
 */
export async function renameTeams(tx: Tx, renamings: readonly Renaming[]): Promise<string[]> {
  return (await store.renameTeams(tx, renamings)).map(notificationsTag)
}
