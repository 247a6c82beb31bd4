import { conflict, invalid, missing, type Problem } from '../../../../core/problem.ts'
import { readInstant } from '../../../../core/time.ts'
import { chatWebhookFault } from '../../../listing/platforms/rules/webhooks.ts'
import type { Tournament } from '../../tournaments/types.ts'
import type { Delivery, Update } from '../types.ts'

/** An update is one of its own tournament, and of no other. (rest-interface: Tournament updates) */
export function unknownUpdate(): Problem {
  return missing('update.unknown', 'There is no such update in this tournament.')
}

/** A GUID is used for one update, once and for all tournaments, whatever became of it. (D51) */
export function guidReused(): Problem {
  return conflict(
    'update.guid_reused',
    'Another update has this GUID already; publish this one with a GUID of its own.',
  )
}

/** Of a tournament; those that were deleted are remembered by their GUIDs, and count. */
export const mostUpdates = 5_000

/**
 * An update leaves its GUID behind, and a job where it goes to the chat: nobody publishes and deletes without end. (D8, D51)
 * @param made how many there were before
 * @throws Problem `update.limit_reached`
 */
export function checkRoom(made: number): void {
  if (made < mostUpdates) return
  throw conflict(
    'update.limit_reached',
    `The tournament has had ${mostUpdates} updates, as many as there may be; edit one of them instead.`,
  )
}

/** The update must not have been edited since the caller saw it: `updatedAt` is null until the first edit. (D51) */
export function checkNotStale({ updatedAt }: Pick<Update, 'updatedAt'>, expected: string | null): void {
  const instant = readInstant(expected, (reason) =>
    invalid('request.invalid', `The body's member "expectedUpdatedAt" ${reason}.`),
  )
  if (instant?.getTime() !== updatedAt?.getTime()) {
    throw conflict('update.stale', 'The update was edited meanwhile; reload it and try again.')
  }
}

/** What is on its way into the chat is neither edited nor deleted. (rest-interface: Tournament updates) */
export function checkNotActive(delivery: Delivery | null): void {
  if (delivery?.status === 'pending' || delivery?.status === 'sending') {
    throw conflict('update.delivery_active', 'The update is still being sent to the chat; try again once that is done.')
  }
}

/** An address is looked at again before it is used: the platform may have moved since it was set. (D33, D37) */
export function isWebhookUsable(webhookUrl: string, chatApiUrl: string): boolean {
  return chatWebhookFault(webhookUrl, chatApiUrl) === null
}

/** Whether updates can be sent to the tournament's chat channel. (D33) */
export function isChatAvailable({ chatWebhookUrl }: Pick<Tournament, 'chatWebhookUrl'>, chatApiUrl: string): boolean {
  return chatWebhookUrl !== null && isWebhookUsable(chatWebhookUrl, chatApiUrl)
}

/** Nothing can be sent to a chat that is not there. (D51) */
export function checkChatAvailable(isAvailable: boolean): void {
  if (isAvailable) return
  throw invalid('update.chat_missing', 'The tournament has no chat webhook; set one, or publish without the chat.')
}
