import type { AnyEvent, EventOf } from '../../../../core/events.ts'
import { listEntries, readWords } from '../../../../core/list.ts'
import { invalid } from '../../../../core/problem.ts'
import { parseInstant } from '../../../../core/time.ts'
import { type PlatformSettings, type WebhookEvent, webhookEvents } from '../../platforms/types.ts'
import type { RequestStatus } from '../../visibility/types.ts'
import { type Channel, channels, type Delivery, type DeliveryStatus, deliveryStatuses } from '../types.ts'

/** What is told to webhooks. */
export type ToldEvent = EventOf<`platform.${WebhookEvent}`>

const eventsOfTypes = new Map(webhookEvents.map((event) => [`platform.${event}` as const, event]))

export const toldTypes: readonly ToldEvent['type'][] = [...eventsOfTypes.keys()]

/** The log knows what happens on a platform as `platform.<event>`. (rest-interface: Platform webhooks) */
export function webhookEventOf(type: ToldEvent['type']): WebhookEvent {
  return eventsOfTypes.get(type) as WebhookEvent
}

/** The noun stands before the dot, as `visibility.requested`. (D34) */
export function dottedType(event: WebhookEvent): string {
  return event.replace('_', '.')
}

/** Where a request stands when an event tells of it; null for events that tell of a member. (rest-interface: Visibility request) */
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

/** A test names a kind of event, subscribed or not. (rest-interface: POST webhooks/test) */
export function readEvent(text: string): WebhookEvent {
  const event = webhookEvents.find((candidate) => candidate === text)
  if (event !== undefined) return event
  throw invalid('webhook.event_unknown', `"event" must be one of ${webhookEvents.join(', ')}.`)
}

/** The address of a channel, which is also what lets whoever has it post there. (rest-interface: Tournament platform) */
export function addressOf(settings: PlatformSettings, channel: Channel): string | null {
  return channel === 'chat' ? settings.chatWebhookUrl : settings.customWebhookUrl
}

/** Channels whose address an administrator has changed, as the log tells of changed settings. */
export function changedChannels(after: EventOf<'platform.settings_changed'>['after']): readonly Channel[] {
  return channels.filter((channel) => `${channel}WebhookUrl` in after)
}

/** What of an answer decides on what comes next. */
export interface Answer {
  /** null when none came. */
  readonly status: number | null
  readonly error: string | null
  /** How long the receiver asks us to wait, in milliseconds. */
  readonly retryAfterMs: number | null
}

/** Whatever says 2xx has taken the delivery; redirects are not followed. (D34) */
export function isTaken({ status }: Pick<Answer, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300
}

/** Why an attempt did not succeed, as a sentence; null when it did. */
export function faultOf({ status, error }: Pick<Answer, 'status' | 'error'>): string | null {
  if (status === null) return error
  if (isTaken({ status })) return null
  if (status >= 300 && status < 400) return `It answered ${status}: redirects are not followed.`
  return `It answered ${status}.`
}

/** Whether the address will never take anything again: 410, and what the chat platform says of a webhook that was deleted or whose token is not good. (D34; domain: 8.4) */
export function isGone(channel: Channel, status: number | null): boolean {
  return status === 410 || (channel === 'chat' && (status === 404 || status === 401))
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const firstWaitMs = 5_000
const growth = 4
const longestWaitMs = 8 * hour
const jitter = 0.2
export const mostAttempts = 15
const giveUpAfterMs = 3.5 * day

/**
 * Waits grow from 5 s to 8 h, so that 15 attempts span about 3 days, and what wants to be left alone for longer is. Each is
 * longer by up to a fifth, so that what failed together does not come back together. (D34, D53)
 * @param attempts so far, the first included
 * @param askedMs as the receiver said
 * @param fraction from 0 to 1: where in that fifth
 */
export function waitAfter(attempts: number, askedMs: number | null, fraction: number): number {
  const own = Math.min(firstWaitMs * growth ** (attempts - 1), longestWaitMs)
  return Math.round(Math.max(own, askedMs ?? 0) * (1 + jitter * fraction))
}

export type Verdict = { readonly kind: 'delivered' | 'failed' | 'gone' } | { readonly kind: 'retry'; readonly at: Date }

/**
 * What an attempt leads to. A delivery is given up after 15 attempts or 3 and a half days in the queue, whichever comes first,
 * but never before its first attempt. (D34)
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
  return attempts >= mostAttempts || isLate ? { kind: 'failed' } : { kind: 'retry', at }
}

/** Deliveries that one call replays at most. */
export const mostReplayed = 1_000

/** Attempts that a delivery keeps when it is replayed, the newest; those to come are added to them. */
export const attemptsKept = 20

/** From when on deliveries are replayed; unset stands for all that are known. (D7) */
export function readSince(text: string): Date {
  const read = parseInstant(text)
  return (read.ok ? read.value : null) ?? new Date(0)
}

/** Deliveries are forgotten 30 days after their end. */
export function sweptBefore(now: Date): Date {
  return new Date(now.getTime() - 30 * day)
}

/** A queue whose job should have been at work so long ago has lost it. */
export function lostBefore(now: Date): Date {
  return new Date(now.getTime() - 15 * minute)
}

/** A comma list in the query; nothing means all. (rest-interface: conventions of lists) */
export function readStatuses(text: string | undefined): readonly DeliveryStatus[] {
  if (text === undefined) return deliveryStatuses
  return readWords(listEntries(text), deliveryStatuses, 'status', 'webhook.status_unknown')
}

/** Followers of deliveries in some states are told of what came into one of these, or left it. (RT10) */
export function isOfDeliveries(event: AnyEvent, statuses: readonly DeliveryStatus[]): boolean {
  if (event.type !== 'platform.delivery_failed' && event.type !== 'platform.delivery_recovered') return false
  return statuses.includes(event.before.status) || statuses.includes(event.after.status)
}
