import type { SignedIn } from '../../../core/actor.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { notificationsTag } from './events.ts'
import * as store from './store/notifications.ts'

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
