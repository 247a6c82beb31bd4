import type { SignedIn } from '../../../../core/actor.ts'
import type { Effects } from '../../../../core/operation.ts'
import { invalid } from '../../../../core/problem.ts'
import type { WebhookAnswer } from '../../../../infra/clients/webhook.ts'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { newSecret } from '../../../../infra/secrets.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { readSettings } from '../../platforms/store.ts'
import type { Platform, WebhookEvent } from '../../platforms/types.ts'
import { send } from '../jobs.ts'
import { addressOf, isTaken, readEvent, requestStatusIn } from '../rules.ts'
import { type Channel, channels, type Occurrence } from '../types.ts'
import { bodyFor } from '../views.ts'
import { resumeQueue } from './deliveries.ts'

/** Tests of a platform's webhooks. */

export interface Tested {
  readonly event: WebhookEvent
  /** The answers of the channels that have an address. */
  readonly answers: ReadonlyMap<Channel, WebhookAnswer>
}

interface Test extends Pick<Effects, 'db' | 'services' | 'clients'> {
  readonly actor: SignedIn
  readonly platform: Platform
  readonly body: { readonly event: string }
  readonly now: Date
}

/**
 * Sends a sample to every channel that has an address, even if the event is not subscribed or the queue is stopped.
 * @throws Problem `webhook.event_unknown`, `webhook.none_configured`
 */
export async function runTest({ db, actor, platform, body, now, ...context }: Test): Promise<Tested> {
  const event = readEvent(body.event)
  const settings = await readSettings(db, platform.guid)
  const addresses = channels.flatMap((channel) => {
    const address = addressOf(settings, channel)
    return address === null ? [] : [{ channel, address }]
  })
  if (addresses.length === 0) {
    throw invalid('webhook.none_configured', 'Set a chat webhook or a custom webhook in the platform’s settings first.')
  }
  const sample = await sampleOf(db, event, platform, actor, now)
  const id = newSecret()
  const answers = addresses.map(async ({ channel, address }) => {
    const target = { address, secret: settings.customWebhookSecret }
    const message = { channel, id, body: bodyFor(channel, sample, true) }
    return [channel, await send(message, target, context, now)] as const
  })
  return { event, answers: new Map(await Promise.all(answers)) }
}

/**
 * Makes waiting deliveries due immediately for every receiver that accepted the test, also after its address was gone.
 */
export async function finishTest(
  tx: Tx,
  actor: SignedIn,
  platform: Platform,
  { event, answers }: Tested,
  now: Date,
): Promise<void> {
  const took: Partial<Record<Channel, boolean>> = {}
  for (const channel of channels) {
    const answer = answers.get(channel)
    if (answer === undefined) continue
    took[channel] = isTaken(answer)
    if (took[channel]) await resumeQueue(tx, { platformGuid: platform.guid, channel }, now)
  }
  emit(tx, { type: 'platform.webhooks_tested', subject: platform.guid, actor: actor.guid, after: { event, ...took } })
}

const nothing = '00000000-0000-0000-0000-000000000000'

/**
 * The sample names the real platform and, for events about a member, the real actor; the tournament and its request are
 * invented.
 */
async function sampleOf(
  db: Db,
  event: WebhookEvent,
  platform: Platform,
  actor: SignedIn,
  now: Date,
): Promise<Occurrence> {
  const occurrence = { event, at: now, platform }
  const status = requestStatusIn(event)
  if (status === null) {
    const user = (await listUserFacts(db, [actor.guid])).get(actor.guid)
    if (user === undefined) throw new Error('there is nothing to say of the actor')
    return { ...occurrence, subject: { kind: 'member', user, role: 'reviewer' } }
  }
  const tournament = {
    guid: nothing,
    id: 'sample-cup',
    name: 'Sample Cup',
    imageUrl: null,
    status: 'approved' as const,
    startsAt: now,
    endsAt: null,
  }
  const reason = status === 'rejected' || status === 'blocked' ? 'This is a sample.' : null
  return { ...occurrence, subject: { kind: 'request', guid: nothing, status, reason, tournament } }
}
