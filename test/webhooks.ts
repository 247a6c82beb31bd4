import { vi } from 'vitest'
import type { Config } from '../src/config.ts'
import { webhookEvents } from '../src/features/listing/platforms/types.ts'
import { webhooksFollower } from '../src/features/listing/webhooks/followers.ts'
import { caughtUp } from './event-log.ts'
import type { FakeReceiver, Received } from './fakes/receiver.ts'
import type { Caller, Harness } from './harness.ts'
import { type MadePlatform, makePlatform, platformMember } from './make.ts'

/** Helpers for tests of platform webhooks: platforms with webhooks to a fake receiver, and their deliveries. */

/** For a service whose chat platform and webhook receivers are the fake receiver. */
export function webhookConfig(receiver: FakeReceiver): Pick<Config, 'webhookAllowPrivate' | 'chat'> {
  const chat = {
    credentials: null,
    apiUrl: `${receiver.url}/api/v10`,
    authorizeUrl: receiver.url,
    cdnUrl: receiver.url,
  }
  return { webhookAllowPrivate: true, chat }
}

export interface Subscriber extends MadePlatform {
  readonly admin: Caller
  readonly name: string
  /** Paths at the receiver. */
  readonly paths: { readonly custom: string; readonly chat: string }
}

export interface SubscriberOptions {
  readonly channels?: readonly ('chat' | 'custom')[]
  readonly events?: readonly string[]
  readonly secret?: string
  readonly name?: string
  readonly receiver?: FakeReceiver
}

let subscribers = 0

/** A platform with an administrator and webhooks for all events by default. */
export async function subscribe(
  api: Harness,
  receiver: FakeReceiver,
  options: SubscriberOptions = {},
): Promise<Subscriber> {
  const { channels = ['custom'], events = webhookEvents, secret, name = `Circle ${++subscribers}` } = options
  const platform = await makePlatform(api, { name })
  const admin = await platformMember(api, platform, 'admin')
  const paths = { custom: `/hooks/${platform.contextId}`, chat: `/api/webhooks/1/${platform.contextId}` }
  const settings = {
    webhookEvents: events,
    ...(channels.includes('custom')
      ? { customWebhookUrl: `${(options.receiver ?? receiver).url}${paths.custom}` }
      : {}),
    ...(channels.includes('chat') ? { chatWebhookUrl: `${receiver.url}${paths.chat}` } : {}),
    ...(secret === undefined ? {} : { customWebhookSecret: secret }),
  }
  await put(api, { ...platform, admin }, settings)
  return { ...platform, admin, name, paths }
}

export async function put(
  api: Harness,
  { contextId, admin }: Pick<Subscriber, 'contextId' | 'admin'>,
  settings: object,
) {
  const reply = await api.put(`/tournament-platforms/${contextId}/settings`, admin, settings)
  if (reply.status !== 200) throw new Error(`settings were answered ${reply.status}: ${reply.text}`)
}

/** Adds a member, which is an event of the platform. Returns the member. */
export async function happen(api: Harness, { contextId, admin }: Subscriber, user?: Caller): Promise<Caller> {
  const member = user ?? (await api.user())
  const body = { userIdentifier: member.guid, role: 'reviewer' }
  const reply = await api.post(`/tournament-platforms/${contextId}/members`, admin, body)
  if (reply.status !== 200) throw new Error(`a member was answered ${reply.status}: ${reply.text}`)
  return member
}

/**
 * Emits so many events of the platform with one statement, without changing its members. Returns the users that they
 * are about.
 */
export async function happenings(api: Harness, { guid }: MadePlatform, count: number): Promise<string[]> {
  const users = await Promise.all(Array.from({ length: Math.min(count, 5) }, () => api.user()))
  const about = Array.from({ length: count }, (_, index) => users[index % users.length]?.guid as string)
  await api.sql(
    `select emit_event('platform.member_added', about, null, null, null,
       jsonb_build_object('platformGuid', $1::uuid, 'userGuid', about, 'role', 'reviewer'), '{}')
     from unnest($2::uuid[]) as about`,
    [guid, about],
  )
  await api.sql('notify events')
  return about
}

/** Resolves when all events so far have been queued. */
export async function followed(api: Harness): Promise<void> {
  await caughtUp(api, webhooksFollower)
}

const within = { timeout: 60_000, interval: 10 }

/** The requests to a path, once there are so many. */
export async function arrived(receiver: FakeReceiver, path: string, count: number): Promise<Received[]> {
  await vi.waitUntil(() => receiver.at(path).length >= count, within)
  return receiver.at(path)
}

export interface DeliveryBody {
  readonly guid: string
  readonly channel: string
  readonly event: string
  readonly status: string
  readonly attempts: readonly {
    readonly at: string
    readonly status: number | null
    readonly durationMs: number | null
    readonly error: string | null
  }[]
  readonly createdAt: string
  readonly nextAttemptAt: string | null
  readonly finishedAt: string | null
}

/** The platform's deliveries as its administrator sees them, the oldest first. */
export async function deliveries(api: Harness, { contextId, admin }: Subscriber): Promise<DeliveryBody[]> {
  const reply = await api.get(`/tournament-platforms/${contextId}/deliveries?limit=100`, admin)
  if (reply.status !== 200) throw new Error(`deliveries were answered ${reply.status}: ${reply.text}`)
  return reply.body.deliveries.toReversed()
}

/** The deliveries, once they are as expected. */
export async function deliveriesWhen(
  api: Harness,
  subscriber: Subscriber,
  isExpected: (found: readonly DeliveryBody[]) => boolean,
): Promise<DeliveryBody[]> {
  await vi.waitUntil(async () => isExpected(await deliveries(api, subscriber)), within)
  return deliveries(api, subscriber)
}

export const allAre =
  (...statuses: readonly string[]) =>
  (found: readonly DeliveryBody[]) =>
    found.map(({ status }) => status).join() === statuses.join()

/** Whether an attempt has failed and the next one is waiting. */
export const waitsAfter = (attempts: number) => (found: readonly DeliveryBody[]) =>
  found[0]?.status === 'pending' && found[0].attempts.length === attempts

/** Makes deliveries that wait for their next attempt due now. */
export async function hurry(api: Harness, { guid }: MadePlatform): Promise<void> {
  await api.sql(
    `update webhook_deliveries set next_attempt_at = now() where platform_guid = $1 and finished_at is null and next_attempt_at > now()`,
    [guid],
  )
  await api.sql(
    `update graphile_worker._private_jobs set run_at = now() where payload->>'platformGuid' = $1 and locked_at is null`,
    [guid],
  )
  await api.sql('notify "jobs:insert"')
}
