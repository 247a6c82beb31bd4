import type { EventOf } from '../../../../core/events.ts'
import type { PlatformSettings, WebhookEvent } from '../../platforms/types.ts'
import { type Channel, channels } from '../types.ts'
import { addressOf } from './deliveries.ts'

/** The settings that decide whether an event is delivered, and to which channels. */
export const decidingMembers = [
  'webhookEvents',
  'chatWebhookUrl',
  'customWebhookUrl',
] as const satisfies readonly (keyof PlatformSettings)[]

/**
 * The values at the time of an event of those settings that have changed since: `before` of the first later change in
 * the log. Addresses are shown as set or not set.
 */
export type Replaced = EventOf<'platform.settings_changed'>['before']

/**
 * Decides by the subscription and the addresses at the time of the event, however late it is delivered. The order of
 * the log tells which changes came later. (D58)
 * @param settings the settings at any time after the event
 * @param replaced the values at the time of the event of the settings that have changed since
 * @returns the channels that receive the event
 */
export function channelsFor(
  event: WebhookEvent,
  settings: PlatformSettings,
  replaced: Replaced | undefined,
): readonly Channel[] {
  const then = { ...settings, ...replaced }
  return then.webhookEvents.includes(event) ? channels.filter((channel) => addressOf(then, channel) !== null) : []
}
