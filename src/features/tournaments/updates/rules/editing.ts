import { conflict, invalid, missing, type Problem } from '../../../../core/problem.ts'
import { readInstant } from '../../../../core/time.ts'
import { isWebhookUsable } from '../../chatDeliveries/rules/webhooks.ts'
import type { Delivery } from '../../chatDeliveries/types.ts'
import type { Tournament } from '../../tournaments/types.ts'
import type { Update } from '../types.ts'

/**
 * The error for an update that does not exist in the given tournament; other tournaments' updates count as unknown.
 * (rest-interface: Tournament updates)
 */
export function unknownUpdate(): Problem {
  return missing('update.unknown', 'There is no such update in this tournament.')
}

/**
 * The error for a GUID that was used before: a GUID is for one update only, across all tournaments and even after
 * deletion. (D51)
 */
export function guidReused(): Problem {
  return conflict(
    'update.guid_reused',
    'Another update has this GUID already; publish this one with a GUID of its own.',
  )
}

/** The maximum number of updates per tournament. Deleted updates count, as their GUIDs are kept. */
export const maxUpdates = 5_000

/**
 * Limits how many updates can be published and deleted: a deleted update leaves its GUID, and a job if it was sent to
 * the chat. (D8, D51)
 * @param made how many updates the tournament has had
 * @throws Problem `update.limit_reached`
 */
export function checkRoom(made: number): void {
  if (made < maxUpdates) return
  throw conflict(
    'update.limit_reached',
    `The tournament has had ${maxUpdates} updates, as many as there may be; edit one of them instead.`,
  )
}

/**
 * Refuses the change if the update was edited since the caller read it; `updatedAt` is null until the first edit. (D51)
 */
export function checkNotStale({ updatedAt }: Pick<Update, 'updatedAt'>, expected: string | null): void {
  const instant = readInstant(expected, (reason) =>
    invalid('request.invalid', `The body's member "expectedUpdatedAt" ${reason}.`),
  )
  if (instant?.getTime() !== updatedAt?.getTime()) {
    throw conflict('update.stale', 'The update was edited meanwhile; reload it and try again.')
  }
}

/** Refuses to edit or delete an update that is being sent to the chat. (rest-interface: Tournament updates) */
export function checkNotActive(delivery: Delivery | null): void {
  if (delivery?.status === 'pending' || delivery?.status === 'sending') {
    throw conflict('update.delivery_active', 'The update is still being sent to the chat; try again once that is done.')
  }
}

/** Whether updates can be sent to the tournament's chat channel. (D33) */
export function isChatAvailable({ chatWebhookUrl }: Pick<Tournament, 'chatWebhookUrl'>, chatApiUrl: string): boolean {
  return chatWebhookUrl !== null && isWebhookUsable(chatWebhookUrl, chatApiUrl)
}

/** Refuses to send an update to the chat if the tournament has no chat webhook. (D51) */
export function checkChatAvailable(isAvailable: boolean): void {
  if (isAvailable) return
  throw invalid('update.chat_missing', 'The tournament has no chat webhook; set one, or publish without the chat.')
}
