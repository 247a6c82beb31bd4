import type { SignedIn } from '../../../../core/actor.ts'
import type { EventOf, NewEvent } from '../../../../core/events.ts'
import { isGuid } from '../../../../core/ids.ts'
import { missing } from '../../../../core/problem.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { WebhookAnswer } from '../../../../infra/clients/webhook.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { enqueue } from '../../../../infra/jobs/jobs.ts'
import { digestOf } from '../../../../infra/secrets.ts'
import { readSettings } from '../../platforms/store/platforms.ts'
import { deliveriesTag } from '../events.ts'
import { addressOf, attemptsKept, faultOf, mostAttempts, mostReplayed, verdictOf } from '../rules/deliveries.ts'
import { findDelivery, listFinished } from '../store/deliveries.ts'
import * as queue from '../store/queue.ts'
import { channels, type Delivery, type DeliveryStatus, type Queue, type RecordedDelivery } from '../types.ts'

export const deliverJob = 'webhooks.deliver'

/** What lets a job work on a queue, once. */
export type Lease = Queue & { readonly lease: string }

/** An attempt that has begun: it is to be made now, outside of any transaction. */
export interface Sending {
  readonly delivery: Delivery & { readonly body: string }
  readonly attempt: number
  readonly address: string
  readonly secret: string | null
}

/**
 * Begins the next attempt in the queue; null when there is none to make now, or another job holds the lease. What an earlier
 * job has left under way counts as an attempt, and is sent again: nobody knows whether it arrived.
 */
export async function takeLease(tx: Tx, lease: Lease, now: Date): Promise<Sending | null> {
  const locked = await queue.lockQueue(tx, lease)
  if (locked?.lease !== lease.lease) return null
  for (const delivery of await queue.listUnderWay(tx, locked)) {
    const { guid, attempts } = delivery
    await queue.endLostAttempts(tx, guid, interrupted)
    if (attempts < mostAttempts) await queue.postponeDelivery(tx, guid, null)
    else await queue.finishDelivery(tx, guid, 'failed', now)
    tellFailure(tx, delivery, locked.platformGuid, attempts < mostAttempts ? 'pending' : 'failed')
  }
  return takeFirst(tx, locked, now)
}

const interrupted = 'The service stopped before it knew the answer.'

/**
 * Writes down what an attempt came to, and begins the next one in the queue.
 * @param goesOn false: the next one is left to another job, so that other queues have theirs
 */
export async function finishAttempt(
  tx: Tx,
  lease: Lease,
  { delivery, attempt, address }: Sending,
  answer: WebhookAnswer,
  goesOn: boolean,
  now: Date,
): Promise<Sending | null> {
  const locked = await queue.lockQueue(tx, lease)
  const { status, durationMs } = answer
  await queue.endAttempt(tx, attempt, { status, durationMs, error: faultOf(answer) })
  if (locked?.lease !== lease.lease) return null
  const verdict = verdictOf(delivery, answer, fractionOf(delivery), now)
  if (verdict.kind === 'delivered') await tellRecovery(tx, delivery, lease.platformGuid, attempt)
  else if (verdict.kind !== 'gone')
    tellFailure(tx, delivery, lease.platformGuid, verdict.kind === 'retry' ? 'pending' : 'failed')
  if (verdict.kind === 'retry') await queue.postponeDelivery(tx, delivery.guid, verdict.at)
  else if (verdict.kind !== 'gone') await queue.finishDelivery(tx, delivery.guid, verdict.kind, now)
  else {
    // Not finished: by now there may be another address, to which it can go.
    await queue.postponeDelivery(tx, delivery.guid, null)
    const stoppedFor = digestOf(address)
    await queue.markStop(tx, locked, stoppedFor)
    return takeFirst(tx, { ...locked, stoppedFor }, now)
  }
  if (goesOn) return takeFirst(tx, locked, now)
  await handOver(tx, locked, null, now)
  return null
}

type Fated = Pick<Delivery, 'guid' | 'channel' | 'event' | 'attempts' | 'createdAt' | 'queuedAt'>

/** Of attempts that came to nothing the first is told, and the last, with which the delivery is given up. */
function tellFailure(tx: Tx, delivery: Fated, platformGuid: string, status: 'pending' | 'failed'): void {
  if (delivery.attempts > 1 && status === 'pending') return
  emit(tx, fate('platform.delivery_failed', delivery, platformGuid, status))
}

/** It was taken after all: by a later attempt, or when it was sent again after it was given up. */
async function tellRecovery(tx: Tx, delivery: Fated, platformGuid: string, attempt: number): Promise<void> {
  const { guid, attempts, createdAt, queuedAt } = delivery
  const isReplayed = queuedAt > createdAt
  if (attempts === 1 && !(isReplayed && (await queue.hadFailed(tx, guid, attempt)))) return
  emit(tx, fate('platform.delivery_recovered', delivery, platformGuid, 'delivered'))
}

function fate(
  type: 'platform.delivery_failed' | 'platform.delivery_recovered',
  { guid, channel, event, attempts }: Fated,
  platformGuid: string,
  status: DeliveryStatus,
): NewEvent<EventOf<typeof type>> {
  return {
    ...{ type, subject: guid, actor: null, before: { status: 'sending' }, after: { channel, event, status, attempts } },
    touches: [deliveriesTag(platformGuid)],
  }
}

/** Differs from delivery to delivery and from attempt to attempt. */
function fractionOf({ guid, attempts }: Pick<Delivery, 'guid' | 'attempts'>): number {
  return digestOf(`${guid} ${attempts}`).readUInt32BE() / 2 ** 32
}

async function takeFirst(tx: Tx, locked: queue.LockedQueue, now: Date): Promise<Sending | null> {
  const first = await queue.findFirst(tx, locked)
  if (first === undefined) {
    await queue.endLease(tx, locked)
    return null
  }
  if (!first.isDue) {
    await handOver(tx, locked, first.nextAttemptAt, now)
    return null
  }
  const settings = await readSettings(tx, locked.platformGuid)
  const address = addressOf(settings, locked.channel)
  if (address === null || isStopped(locked, address)) {
    await queue.stopDeliveries(tx, locked, now)
    await queue.endLease(tx, locked)
    return null
  }
  await queue.markWork(tx, locked, now)
  const attempt = await queue.beginAttempt(tx, first.guid, now)
  const delivery = { ...first, attempts: first.attempts + 1 }
  return { delivery, attempt, address, secret: locked.channel === 'custom' ? settings.customWebhookSecret : null }
}

/** Whether the address has said that it is gone for good. (D34) */
export function isStopped({ stoppedFor }: Pick<queue.LockedQueue, 'stoppedFor'>, address: string): boolean {
  return stoppedFor?.equals(digestOf(address)) ?? false
}

/** Gives the queue to a new job, in whose favour any other stands back. */
export async function handOver(tx: Tx, { platformGuid, channel }: Queue, at: Date | null, now: Date): Promise<void> {
  const lease = await queue.grantLease(tx, { platformGuid, channel }, at ?? now)
  const payload = { platformGuid, channel, lease }
  await enqueue(tx, deliverJob, at === null ? { payload } : { payload, runAt: at })
}

/** Whatever waits in the queue is sent at once, unless something is being sent already: then the rest follows it. */
async function hurry(tx: Tx, locked: queue.LockedQueue, now: Date): Promise<void> {
  const underWay = await queue.listUnderWay(tx, locked)
  if (underWay.length > 0 || (await queue.findFirst(tx, locked)) === undefined) return
  await queue.hurryDeliveries(tx, locked, now)
  await handOver(tx, locked, null, now)
}

/** There is reason to believe that what is sent to the channel arrives: its address is another one, or has just answered. */
export async function resumeQueue(tx: Tx, which: Queue, now: Date): Promise<void> {
  const locked = await queue.lockQueue(tx, which)
  if (locked === undefined) return
  await queue.markStop(tx, locked, null)
  await hurry(tx, locked, now)
}

/**
 * Sends a delivery again, as the message that it was; one that still waits is sent now.
 * @param text its GUID, as the address says it
 * @throws Problem `delivery.unknown`
 */
export async function replayDelivery(
  tx: Tx,
  actor: SignedIn,
  platformGuid: string,
  text: string,
  now: Date,
): Promise<RecordedDelivery> {
  const found = await loadDelivery(tx, platformGuid, text)
  const { guid } = found
  const locked = await queue.lockQueue(tx, found)
  const delivery = await loadDelivery(tx, platformGuid, guid)
  if (locked === undefined || delivery.status === 'sending') return delivery
  await queue.queueAgain(tx, [guid], attemptsKept, now)
  await hurry(tx, locked, now)
  emit(tx, replayed(platformGuid, actor, { deliveryGuid: guid }))
  return loadDelivery(tx, platformGuid, guid)
}

async function loadDelivery(tx: Tx, platformGuid: string, guid: string): Promise<RecordedDelivery> {
  const delivery = isGuid(guid) ? await findDelivery(tx, platformGuid, guid) : undefined
  if (delivery === undefined) throw missing('delivery.unknown', 'There is no such delivery.')
  return delivery
}

/**
 * Sends all finished deliveries of what happened since then again, the oldest first and as many as one call may.
 * @returns how many, and from when on there are more; null for no more
 */
export async function replaySince(
  tx: Tx,
  actor: SignedIn,
  platformGuid: string,
  since: Date,
  now: Date,
): Promise<{ readonly replayed: number; readonly nextSince: Date | null }> {
  const locked: queue.LockedQueue[] = []
  for (const channel of channels) {
    const one = await queue.lockQueue(tx, { platformGuid, channel })
    if (one !== undefined) locked.push(one)
  }
  const found = await listFinished(tx, platformGuid, since, mostReplayed + 1)
  const guids = found.slice(0, mostReplayed).map(({ guid }) => guid)
  if (guids.length === 0) return { replayed: 0, nextSince: null }
  await queue.queueAgain(tx, guids, attemptsKept, now)
  for (const one of locked) await hurry(tx, one, now)
  emit(tx, replayed(platformGuid, actor, { since: formatInstant(since), deliveries: guids.length }))
  return { replayed: guids.length, nextSince: found[mostReplayed]?.createdAt ?? null }
}

type ReplayedEvent = NewEvent<EventOf<'platform.deliveries_replayed'>>

function replayed(platformGuid: string, actor: SignedIn, after: ReplayedEvent['after']): ReplayedEvent {
  return { type: 'platform.deliveries_replayed', subject: platformGuid, actor: actor.guid, after }
}
