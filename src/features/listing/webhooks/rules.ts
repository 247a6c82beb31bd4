import { createHmac } from 'node:crypto'
import type { AnyEvent, EventOf } from '../../../core/events.ts'
import { listEntries, readWords } from '../../../core/list.ts'
import { invalid } from '../../../core/problem.ts'
import { parseInstant } from '../../../core/time.ts'
import { type PlatformSettings, type WebhookEvent, webhookEvents } from '../platforms/types.ts'
import type { RequestStatus } from '../visibility/types.ts'
import { type Channel, channels, type Delivery, type DeliveryStatus, deliveryStatuses } from './types.ts'

/** The events that are delivered to webhooks. */
export type DeliveredEvent = EventOf<`platform.${WebhookEvent}`>

const eventsOfTypes = new Map(webhookEvents.map((event) => [`platform.${event}` as const, event]))

export const deliveredTypes: readonly DeliveredEvent['type'][] = [...eventsOfTypes.keys()]

/** The webhook event of a logged type, which is `platform.<event>`. (rest-interface: Platform webhooks) */
export function webhookEventOf(type: DeliveredEvent['type']): WebhookEvent {
  return eventsOfTypes.get(type) as WebhookEvent
}

/** The type of a message, with a dot after the noun, such as `visibility.requested`. (D34) */
export function dottedType(event: WebhookEvent): string {
  return event.replace('_', '.')
}

/** The status of a request after an event; null for events about a member. (rest-interface: Visibility request) */
export function requestStatusIn(event: WebhookEvent): RequestStatus | null {
  if (event === 'member_added' || event === 'member_removed') return null
  return statuses[event]
}

const statuses = {
  visibility_requested: 'pending',
  visibility_approved: 'approved',
  visibility_rejected: 'rejected',
  visibility_blocked: 'blocked',
  visibility_withdrawn: 'withdrawn',
} as const

/** Reads the event that a test sends; it need not be subscribed. (rest-interface: POST webhooks/test) */
export function readEvent(text: string): WebhookEvent {
  const event = webhookEvents.find((candidate) => candidate === text)
  if (event !== undefined) return event
  throw invalid('webhook.event_unknown', `"event" must be one of ${webhookEvents.join(', ')}.`)
}

/**
 * The address of a channel. It is secret, since anybody who knows it can post there. (rest-interface: Tournament
 * platform)
 */
export function addressOf(settings: PlatformSettings, channel: Channel): string | null {
  return channel === 'chat' ? settings.chatWebhookUrl : settings.customWebhookUrl
}

/** Channels whose address has changed, from the event of changed settings. */
export function changedChannels(after: EventOf<'platform.settings_changed'>['after']): readonly Channel[] {
  return channels.filter((channel) => `${channel}WebhookUrl` in after)
}

/** The members of a receiver's answer that decide the next step. */
export interface Answer {
  /** null if there was no answer. */
  readonly status: number | null
  readonly error: string | null
  /** How long the receiver asks the service to wait, in milliseconds. */
  readonly retryAfterMs: number | null
}

/** Every 2xx status accepts the delivery; redirects are not followed. (D34) */
export function isTaken({ status }: Pick<Answer, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300
}

/** Why an attempt failed, as a sentence; null if it succeeded. */
export function faultOf({ status, error }: Pick<Answer, 'status' | 'error'>): string | null {
  if (status === null) return error
  if (isTaken({ status })) return null
  if (status >= 300 && status < 400) return `It answered ${status}: redirects are not followed.`
  return `It answered ${status}.`
}

/**
 * Whether the address is gone for good: status 410, or the chat platform's status for a deleted webhook (404) or an
 * invalid token (401). (D34; domain: 8.4)
 */
export function isGone(channel: Channel, status: number | null): boolean {
  return status === 410 || (channel === 'chat' && (status === 404 || status === 401))
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const firstWaitMs = 5_000
const growth = 4
const maxWaitMs = 8 * hour
const jitter = 0.2
export const maxAttempts = 15
const giveUpAfterMs = 3.5 * day

/**
 * The wait before the next attempt, in milliseconds. It grows from 5 s to 8 h, so that 15 attempts span about 3 days; a
 * longer wait that the receiver asks for is respected. Up to a fifth is added, so that deliveries that failed together
 * are not sent again together. (D34, D53)
 * @param attempts the number of attempts so far
 * @param askedMs the wait that the receiver asks for
 * @param fraction from 0 to 1: the part of that fifth to add
 */
export function waitAfter(attempts: number, askedMs: number | null, fraction: number): number {
  const own = Math.min(firstWaitMs * growth ** (attempts - 1), maxWaitMs)
  return Math.round(Math.max(own, askedMs ?? 0) * (1 + jitter * fraction))
}

export type Verdict = { readonly kind: 'delivered' | 'failed' | 'gone' } | { readonly kind: 'retry'; readonly at: Date }

/**
 * The consequence of an attempt. A delivery is given up after 15 attempts or 3.5 days in the queue, whichever comes
 * first, but never before its first attempt. (D34)
 */
export function verdictOf(
  delivery: Pick<Delivery, 'channel' | 'attempts' | 'queuedAt'>,
  answer: Answer,
  fraction: number,
  now: Date,
): Verdict {
  const { channel, attempts, queuedAt } = delivery
  if (isTaken(answer)) return { kind: 'delivered' }
  if (isGone(channel, answer.status)) return { kind: 'gone' }
  const at = new Date(now.getTime() + waitAfter(attempts, answer.retryAfterMs, fraction))
  const isLate = at.getTime() > queuedAt.getTime() + giveUpAfterMs
  return attempts >= maxAttempts || isLate ? { kind: 'failed' } : { kind: 'retry', at }
}

/** The maximum of deliveries that one call replays. */
export const maxReplayed = 1_000

/** The number of newest attempts that a replayed delivery keeps; new attempts are added to them. */
export const attemptsKept = 20

/** Reads the time from which deliveries are replayed; an unset time means all stored deliveries. (D7) */
export function readSince(text: string): Date {
  const read = parseInstant(text)
  return (read.ok ? read.value : null) ?? new Date(0)
}

/** Deliveries that finished before this time, 30 days ago, are deleted. */
export function sweptBefore(now: Date): Date {
  return new Date(now.getTime() - 30 * day)
}

/** A queue has lost its job if the job was due before this time, 15 minutes ago. */
export function lostBefore(now: Date): Date {
  return new Date(now.getTime() - 15 * minute)
}

/** Reads a comma-separated list of statuses; left out means all. (rest-interface: conventions of lists) */
export function readStatuses(text: string | undefined): readonly DeliveryStatus[] {
  if (text === undefined) return deliveryStatuses
  return readWords(listEntries(text), deliveryStatuses, 'status', 'webhook.status_unknown')
}

/**
 * Subscribers to deliveries with some statuses receive the events of deliveries that get or lose one of these. (RT10)
 */
export function isOfDeliveries(event: AnyEvent, statuses: readonly DeliveryStatus[]): boolean {
  if (event.type !== 'platform.delivery_failed' && event.type !== 'platform.delivery_recovered') return false
  return statuses.includes(event.before.status) || statuses.includes(event.after.status)
}

/**
 * The headers with the id, the time and the signature of a message. A secret with the prefix `whsec_` is base64; any
 * other secret is used as it is. (D34; Standard Webhooks)
 * @param secret null for an unsigned message (D53)
 */
export function webhookHeaders(
  message: { readonly id: string; readonly body: string },
  secret: string | null,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const headers = { 'webhook-id': message.id, 'webhook-timestamp': timestamp }
  if (secret === null) return headers
  const signature = createHmac('sha256', keyOf(secret)).update(`${message.id}.${timestamp}.${message.body}`)
  return { ...headers, 'webhook-signature': `v1,${signature.digest('base64')}` }
}

const prefix = 'whsec_'

function keyOf(secret: string): Buffer {
  return secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret)
}

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
