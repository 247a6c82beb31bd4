import type { SignedIn } from '../../../core/actor.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { notificationsTag } from './events.ts'
import * as store from './store/notifications.ts'
import type { DatedNotification, NewNotification, Notice, Renaming } from './types.ts'

/** Answers how many of the actor's own messages were marked; those of others are left alone. */
export async function markRead(tx: Tx, actor: SignedIn, which: readonly string[] | 'all', now: Date): Promise<number> {
  const read = await store.markRead(tx, actor.guid, which, now)
  if (read > 0) {
    emit(tx, {
      ...{ type: 'notification.read', subject: actor.guid, actor: actor.guid, after: { read } },
      touches: [notificationsTag(actor.guid)],
    })
  }
  return read
}

/** Gives a user a message, in the transaction of what it tells of. */
export async function notify(tx: Tx, notification: NewNotification): Promise<void> {
  await store.insertNotification(tx, notification)
  const touches = [notificationsTag(notification.userGuid)]
  emit(tx, { type: 'notification.created', subject: null, actor: null, touches })
}

/** Gives several users each a message, in the transaction of what they tell of; whoever has given up the account gets none. */
export async function notifyAll(tx: Tx, notifications: readonly DatedNotification[]): Promise<void> {
  if (notifications.length === 0) return
  await store.insertNotifications(tx, notifications)
  const touches = [...new Set(notifications.map(({ userGuid }) => notificationsTag(userGuid)))]
  emit(tx, { type: 'notification.created', subject: null, actor: null, touches })
}

/** The same where all of them get the same message. */
export async function notifyEach(tx: Tx, userGuids: readonly string[], notice: Notice, now: Date): Promise<void> {
  await notifyAll(
    tx,
    userGuids.map((userGuid) => ({ ...notice, userGuid, createdAt: now })),
  )
}

/** Has messages call teams by their new names. Answers what the event of the renaming touches by that. */
export async function renameTeams(tx: Tx, renamings: readonly Renaming[]): Promise<string[]> {
  return (await store.renameTeams(tx, renamings)).map(notificationsTag)
}
