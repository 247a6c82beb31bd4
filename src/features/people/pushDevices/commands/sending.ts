import { placeOf } from '../../../../infra/clock/store.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { record } from '../../../../infra/outbox/sending.ts'
import type { NewMessage } from '../../../../infra/outbox/types.ts'
import { textOf, titleOf } from '../rules/messages.ts'
import { judgePush } from '../rules/sending.ts'
import { enqueuePushes, listNames } from '../store/queue.ts'
import type { Push } from '../types.ts'

/**
 * Sends messages to the devices of the recipients. In a rehearsal they are recorded, as if each recipient had one device
 * without settings. (additions: Push; R3)
 */
export async function sendPushes(tx: Tx, pushes: readonly Push[]): Promise<void> {
  const place = placeOf(tx)
  if (place === null) return enqueuePushes(tx, pushes)
  const names = await listNames(tx, pushes)
  const messages = pushes.flatMap(({ userGuid, occasion, subject, until, at = place.instant }, index): NewMessage[] => {
    const named = names.get(index)
    if (named === undefined) return []
    const body = textOf({ occasion, subject }, named)
    return [{ kind: 'push', at, to: named.name, userGuid, until, subject: titleOf(occasion), body }]
  })
  const alike = Map.groupBy(messages, ({ body }) => body)
  const inOrder = [...alike.values()].flatMap((group) => group.toSorted((one, other) => (one.to < other.to ? -1 : 1)))
  await record(tx, place, inOrder, judgePush)
}
