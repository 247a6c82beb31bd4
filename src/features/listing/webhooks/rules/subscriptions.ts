import type { EventOf } from '../../../../core/events.ts'
import type { PlatformSettings, WebhookEvent } from '../../platforms/types.ts'
import { type Channel, channels } from '../types.ts'
import { addressOf } from './deliveries.ts'

/** What of a platform's settings decides whether it is told of something, and where. */
export const decidingMembers = [
  'webhookEvents',
  'chatWebhookUrl',
  'customWebhookUrl',
] as const satisfies readonly (keyof PlatformSettings)[]

/**
 * What these members were when something happened, of those that were changed behind it: in the log, `before` of the first
 * change that came later. Addresses are told as set or not.
 */
export type Replaced = EventOf<'platform.settings_changed'>['before']

/**
 * The subscription, and whether a channel is set up, count as they were in the transaction of the event, however late it is
 * told of; the order of the log says which that was. (D58)
 * @param settings as they are at any time after the event
 * @param replaced since the event
 * @returns the channels that are told of it
 */
export function channelsFor(
  event: WebhookEvent,
  settings: PlatformSettings,
  replaced: Replaced | undefined,
): readonly Channel[] {
  const then = { ...settings, ...replaced }
  return then.webhookEvents.includes(event) ? channels.filter((channel) => addressOf(then, channel) !== null) : []
}
