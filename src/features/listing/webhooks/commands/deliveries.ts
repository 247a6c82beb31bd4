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
import { readSettings } from '../../platforms/store.ts'
import { deliveriesTag } from '../events.ts'
import { addressOf, attemptsKept, faultOf, maxAttempts, maxReplayed, verdictOf } from '../rules.ts'
import { findDelivery, listFinished } from '../store/deliveries.ts'
import * as queue from '../store/queue.ts'
import { channels, type Delivery, type DeliveryStatus, type Queue, type RecordedDelivery } from '../types.ts'

export const deliverJob = 'webhooks.deliver'

/** The lease with which one job may work on a queue. */
export type Lease = Queue & { readonly lease: string }

/** An attempt that has begun. The request is sent outside of any transaction. */
export interface Sending {
  readonly delivery: Delivery & { readonly body: string }
  readonly attempt: number
  readonly address: string
  readonly secret: string | null
}

/**
 * Begins the next attempt in the queue; null if none is due, or if another job holds the lease. An attempt that an
 * earlier job left unfinished is counted and made again, since nobody knows whether the delivery arrived.
 */
export async function beginNextAttempt(tx: Tx, lease: Lease, now: Date): Promise<Sending | null> {
  const locked = await queue.lockQueue(tx, lease)
  if (locked?.lease !== lease.lease) return null
  for (const delivery of await queue.listUnderWay(tx, locked)) {
    const { guid, attempts } = delivery
    await queue.endLostAttempts(tx, guid, interrupted)
    if (attempts < maxAttempts) await queue.postponeDelivery(tx, guid, null)
    else await queue.finishDelivery(tx, guid, 'failed', now)
    emitFailure(tx, delivery, locked.platformGuid, attempts < maxAttempts ? 'pending' : 'failed')
  }
  return takeFirst(tx, locked, now)
}

const interrupted = 'The service stopped before it knew the answer.'

/**
 * Saves the outcome of an attempt, and begins the next one in the queue.
 * @param goesOn false leaves the next attempt to another job, so that other queues get their turn
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
  if (verdict.kind === 'delivered') await emitRecovery(tx, delivery, lease.platformGuid, attempt)
  else if (verdict.kind !== 'gone')
    emitFailure(tx, delivery, lease.platformGuid, verdict.kind === 'retry' ? 'pending' : 'failed')
  if (verdict.kind === 'retry') await queue.postponeDelivery(tx, delivery.guid, verdict.at)
  else if (verdict.kind !== 'gone') await queue.finishDelivery(tx, delivery.guid, verdict.kind, now)
  else {
    // Not finished, since it can be sent once the platform has another address.
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

/**
 * Emits an event for a failed attempt only if it is the first one, or the last one, after which the delivery is given
 * up.
 */
function emitFailure(tx: Tx, delivery: Fated, platformGuid: string, status: 'pending' | 'failed'): void {
  if (delivery.attempts > 1 && status === 'pending') return
  emit(tx, fate('platform.delivery_failed', delivery, platformGuid, status))
}

/**
 * Emits an event for a delivery that succeeded after it had failed: in a later attempt, or in a replay after it was
 * given up.
 */
async function emitRecovery(tx: Tx, delivery: Fated, platformGuid: string, attempt: number): Promise<void> {
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
    type,
    subject: guid,
    actor: null,
    before: { status: 'sending' },
    after: { channel, event, status, attempts },
    touches: [deliveriesTag(platformGuid)],
  }
}

/** A number from 0 to 1 that differs by delivery and by attempt. */
function fractionOf({ guid, attempts }: Pick<Delivery, 'guid' | 'attempts'>): number {
  return digestOf(`${guid} ${attempts}`).readUInt32BE() / 2 ** 32
}

async function takeFirst(tx: Tx, locked: queue.LockedQueue, now: Date): Promise<Sending | null> {
  const first = await queue.findFirst(tx, locked)
  if (first === undefined) {
    await queue.releaseLease(tx, locked)
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
    await queue.releaseLease(tx, locked)
    return null
  }
  await queue.markWork(tx, locked, now)
  const attempt = await queue.beginAttempt(tx, first.guid, now)
  const delivery = { ...first, attempts: first.attempts + 1 }
  return { delivery, attempt, address, secret: locked.channel === 'custom' ? settings.customWebhookSecret : null }
}

/** Whether the receiver has answered that this address is gone for good. (D34) */
export function isStopped({ stoppedFor }: Pick<queue.LockedQueue, 'stoppedFor'>, address: string): boolean {
  return stoppedFor?.equals(digestOf(address)) ?? false
}

/** Gives the lease of the queue to a new job; a job with an older lease stops. */
export async function handOver(tx: Tx, { platformGuid, channel }: Queue, at: Date | null, now: Date): Promise<void> {
  const lease = await queue.grantLease(tx, { platformGuid, channel }, at ?? now)
  const payload = { platformGuid, channel, lease }
  await enqueue(tx, deliverJob, at === null ? { payload } : { payload, runAt: at })
}

/** Makes all waiting deliveries due immediately. If one is being sent already, the rest follows it. */
async function hurry(tx: Tx, locked: queue.LockedQueue, now: Date): Promise<void> {
  const underWay = await queue.listUnderWay(tx, locked)
  if (underWay.length > 0 || (await queue.findFirst(tx, locked)) === undefined) return
  await queue.hurryDeliveries(tx, locked, now)
  await handOver(tx, locked, null, now)
}

/** Lets a stopped queue send again, after its address has changed or has accepted a test. */
export async function resumeQueue(tx: Tx, which: Queue, now: Date): Promise<void> {
  const locked = await queue.lockQueue(tx, which)
  if (locked === undefined) return
  await queue.markStop(tx, locked, null)
  await hurry(tx, locked, now)
}

/**
 * Sends a delivery again with the same body. A delivery that still waits is sent now.
 * @param text GUID of the delivery, from the address
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
  if (delivery === undefined) throw unknownDelivery()
  return delivery
}

export function unknownDelivery() {
  return missing('delivery.unknown', 'There is no such delivery.')
}

/**
 * Sends all finished deliveries of events since a time again, oldest first; at most `maxReplayed` in one call. A dry run
 * only counts them.
 * @returns the number of replayed deliveries, and the time to continue from; null if there are no more
 */
export async function replaySince(
  tx: Tx,
  actor: SignedIn,
  platformGuid: string,
  { since, dryRun }: { readonly since: Date; readonly dryRun: boolean },
  now: Date,
): Promise<{ readonly replayed: number; readonly nextSince: Date | null }> {
  const locked: queue.LockedQueue[] = []
  for (const channel of channels) {
    const one = await queue.lockQueue(tx, { platformGuid, channel })
    if (one !== undefined) locked.push(one)
  }
  const found = await listFinished(tx, platformGuid, since, maxReplayed + 1)
  const guids = found.slice(0, maxReplayed).map(({ guid }) => guid)
  const result = { replayed: guids.length, nextSince: found[maxReplayed]?.createdAt ?? null }
  if (guids.length === 0 || dryRun) return result
  await queue.queueAgain(tx, guids, attemptsKept, now)
  for (const one of locked) await hurry(tx, one, now)
  emit(tx, replayed(platformGuid, actor, { since: formatInstant(since), deliveries: guids.length }))
  return result
}

type ReplayedEvent = NewEvent<EventOf<'platform.deliveries_replayed'>>

function replayed(platformGuid: string, actor: SignedIn, after: ReplayedEvent['after']): ReplayedEvent {
  return { type: 'platform.deliveries_replayed', subject: platformGuid, actor: actor.guid, after }
}
