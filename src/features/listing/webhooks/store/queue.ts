import { and, asc, desc, eq, getTableColumns, inArray, isNull, lt, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { webhookAttempts as attempts, webhookDeliveries as deliveries, webhookQueues as queues } from '../tables.ts'
import type { Attempt, Delivery, DeliveryStatus, Queue } from '../types.ts'

/** Queues and the waiting deliveries in them. */

export interface LockedQueue extends Queue {
  readonly lease: string | null
  readonly stoppedFor: Buffer | null
}

const thisQueue = and(
  eq(queues.platformGuid, sql.placeholder('platformGuid')),
  eq(queues.channel, sql.placeholder('channel')),
)

const lock = statement('webhooks.lock_queue', (orm) =>
  orm
    .select({
      platformGuid: queues.platformGuid,
      channel: queues.channel,
      lease: queues.lease,
      stoppedFor: queues.stoppedFor,
    })
    .from(queues)
    .where(thisQueue)
    .for('update'),
)

/**
 * Locks a queue. Every change of a queue and its deliveries takes this lock. undefined if the queue was never used or
 * was deleted.
 */
export async function lockQueue(tx: Tx, queue: Queue): Promise<LockedQueue | undefined> {
  return (await lock(tx, { platformGuid: queue.platformGuid, channel: queue.channel }))[0]
}

/** Creates the queue if needed and locks it. The caller must hold a lock that keeps the platform from being deleted. */
export async function openQueue(tx: Tx, { platformGuid, channel }: Queue): Promise<LockedQueue> {
  await tx.session.orm.insert(queues).values({ platformGuid, channel }).onConflictDoNothing()
  const queue = await lockQueue(tx, { platformGuid, channel })
  if (queue === undefined) throw new Error('a queue that was made is not there')
  return queue
}

const granted = statement('webhooks.grant_lease', (orm) =>
  orm
    .update(queues)
    .set({ lease: sql`gen_random_uuid()`, dueAt: sql`${sql.placeholder('dueAt')}` })
    .where(thisQueue)
    .returning({ lease: queues.lease }),
)

/** Creates a new lease for the next job. A job with any other lease stops. */
export async function grantLease(tx: Tx, { platformGuid, channel }: Queue, dueAt: Date): Promise<string> {
  const [row] = await granted(tx, { platformGuid, channel, dueAt })
  if (row?.lease == null) throw new Error('a queue was given no lease')
  return row.lease
}

const rest = statement('webhooks.end_lease', (orm) => orm.update(queues).set({ lease: null }).where(thisQueue))

export async function releaseLease(tx: Tx, { platformGuid, channel }: Queue): Promise<void> {
  await rest(tx, { platformGuid, channel })
}

const work = statement('webhooks.work', (orm) =>
  orm
    .update(queues)
    .set({ dueAt: sql`${sql.placeholder('at')}` })
    .where(thisQueue),
)

/** Notes that the queue's job is at work. */
export async function markWork(tx: Tx, { platformGuid, channel }: Queue, at: Date): Promise<void> {
  await work(tx, { platformGuid, channel, at })
}

/** @param digest of the address that is gone for good; null allows every address */
export async function markStop(tx: Tx, queue: Queue, digest: Buffer | null): Promise<void> {
  await tx.session.orm
    .update(queues)
    .set({ stoppedFor: digest })
    .where(and(eq(queues.platformGuid, queue.platformGuid), eq(queues.channel, queue.channel)))
}

const unfinished = and(
  eq(deliveries.platformGuid, sql.placeholder('platformGuid')),
  eq(deliveries.channel, sql.placeholder('channel')),
  isNull(deliveries.finishedAt),
)

const { eventSeq: _seq, userGuid: _user, body: _body, ...shownColumns } = getTableColumns(deliveries)

export interface Waiting extends Delivery {
  readonly body: string
  /** Compared by the database's clock, which also decides when jobs are due. */
  readonly isDue: boolean
}

const first = statement('webhooks.first', (orm) =>
  orm
    .select({
      ...shownColumns,
      body: deliveries.body,
      isDue: sql<boolean>`${deliveries.nextAttemptAt} <= now()`,
    })
    .from(deliveries)
    .where(unfinished)
    .orderBy(asc(deliveries.eventSeq))
    .limit(1),
)

/** The first delivery in the queue. */
export async function findFirst(tx: Tx, { platformGuid, channel }: Queue): Promise<Waiting | undefined> {
  return (await first(tx, { platformGuid, channel }))[0]
}

const underWay = statement('webhooks.under_way', (orm) =>
  orm
    .select({
      guid: deliveries.guid,
      channel: deliveries.channel,
      event: deliveries.event,
      attempts: deliveries.attempts,
      createdAt: deliveries.createdAt,
      queuedAt: deliveries.queuedAt,
    })
    .from(deliveries)
    .where(and(unfinished, eq(deliveries.status, 'sending'))),
)

/** Deliveries that are being sent: at most one, unless its job was lost. */
export async function listUnderWay(
  tx: Tx,
  { platformGuid, channel }: Queue,
): Promise<Pick<Delivery, 'guid' | 'channel' | 'event' | 'attempts' | 'createdAt' | 'queuedAt'>[]> {
  return underWay(tx, { platformGuid, channel })
}

export type NewDelivery = Pick<
  typeof deliveries.$inferInsert,
  'platformGuid' | 'channel' | 'event' | 'eventSeq' | 'userGuid' | 'body' | 'createdAt'
>

/** @param isStopped whether there is no address to send to; the deliveries are stored for a replay */
export async function insertDeliveries(tx: Tx, made: readonly NewDelivery[], isStopped: boolean): Promise<void> {
  const rows = made.map((delivery) => {
    const { createdAt } = delivery
    const times = { queuedAt: createdAt, nextAttemptAt: createdAt, finishedAt: isStopped ? createdAt : null }
    return { ...delivery, ...times, status: isStopped ? ('stopped' as const) : ('pending' as const) }
  })
  await tx.session.orm.insert(deliveries).values(rows)
}

const thisDelivery = eq(deliveries.guid, sql.placeholder('guid'))

const sending = statement('webhooks.sending', (orm) =>
  orm
    .update(deliveries)
    .set({ status: 'sending', attempts: sql`${deliveries.attempts} + 1` })
    .where(thisDelivery),
)

const begun = statement('webhooks.begun', (orm) =>
  orm
    .insert(attempts)
    .values({ deliveryGuid: sql.placeholder('guid'), at: sql.placeholder('at') })
    .returning({ number: attempts.number }),
)

/** Begins an attempt and returns its number. */
export async function beginAttempt(tx: Tx, guid: string, at: Date): Promise<number> {
  const [, [row]] = await Promise.all([sending(tx, { guid }), begun(tx, { guid, at })])
  if (row === undefined) throw new Error('an attempt was given no number')
  return row.number
}

const ended = statement('webhooks.ended', (orm) =>
  orm
    .update(attempts)
    .set({
      status: sql`${sql.placeholder('status')}`,
      durationMs: sql`${sql.placeholder('durationMs')}`,
      error: sql`${sql.placeholder('error')}`,
    })
    .where(eq(attempts.number, sql.placeholder('number'))),
)

export async function endAttempt(tx: Tx, number: number, end: Omit<Attempt, 'at'>): Promise<void> {
  const { status, durationMs, error } = end
  await ended(tx, { number, status, durationMs, error })
}

/** Marks the unfinished attempts of a delivery with an error, since their outcome is unknown. */
export async function endLostAttempts(tx: Tx, guid: string, error: string): Promise<void> {
  await tx.session.orm
    .update(attempts)
    .set({ error })
    .where(and(eq(attempts.deliveryGuid, guid), isNull(attempts.durationMs), isNull(attempts.error)))
}

const moved = statement('webhooks.moved', (orm) =>
  orm
    .update(deliveries)
    .set({
      status: sql`${sql.placeholder('status')}`,
      nextAttemptAt: sql`coalesce(${sql.placeholder('nextAttemptAt')}::timestamptz, ${deliveries.nextAttemptAt})`,
      finishedAt: sql`${sql.placeholder('finishedAt')}`,
    })
    .where(thisDelivery),
)

export async function finishDelivery(tx: Tx, guid: string, status: DeliveryStatus, now: Date): Promise<void> {
  await moved(tx, { guid, status, nextAttemptAt: null, finishedAt: now })
}

/** @param nextAttemptAt null keeps the present time */
export async function postponeDelivery(tx: Tx, guid: string, nextAttemptAt: Date | null): Promise<void> {
  await moved(tx, { guid, status: 'pending', nextAttemptAt, finishedAt: null })
}

/** Whether the previous attempt failed. */
export async function hadFailed(tx: Tx, guid: string, attempt: number): Promise<boolean> {
  const [row] = await tx.session.orm
    .select({ error: attempts.error })
    .from(attempts)
    .where(and(eq(attempts.deliveryGuid, guid), lt(attempts.number, attempt)))
    .orderBy(desc(attempts.number))
    .limit(1)
  return row !== undefined && row.error !== null
}

/** Marks all waiting deliveries of the queue as stopped. */
export async function stopDeliveries(tx: Tx, queue: Queue, now: Date): Promise<void> {
  await tx.session.orm
    .update(deliveries)
    .set({ status: 'stopped', finishedAt: now })
    .where(
      and(
        eq(deliveries.platformGuid, queue.platformGuid),
        eq(deliveries.channel, queue.channel),
        isNull(deliveries.finishedAt),
      ),
    )
}

/** Makes deliveries that wait for a later attempt due now. */
export async function hurryDeliveries(tx: Tx, queue: Queue, now: Date): Promise<void> {
  await tx.session.orm
    .update(deliveries)
    .set({ nextAttemptAt: now })
    .where(
      and(
        eq(deliveries.platformGuid, queue.platformGuid),
        eq(deliveries.channel, queue.channel),
        eq(deliveries.status, 'pending'),
        sql`${deliveries.nextAttemptAt} > ${now.toISOString()}::timestamptz`,
      ),
    )
}

/**
 * Puts deliveries that are not being sent into the queue again, at their old positions. Keeps their newest attempts.
 */
export async function queueAgain(tx: Tx, guids: readonly string[], attemptsKept: number, now: Date): Promise<void> {
  const { orm } = tx.session
  await orm
    .update(deliveries)
    .set({ status: 'pending', attempts: 0, queuedAt: now, nextAttemptAt: now, finishedAt: null })
    .where(sql`${deliveries.guid} = any(${sql.param(guids)}::uuid[])`)
  await orm.execute(sql`
    delete from ${attempts} a using (
      select number, row_number() over (partition by delivery_guid order by number desc) as place
      from ${attempts} where delivery_guid = any(${sql.param(guids)}::uuid[])
    ) held
    where held.number = a.number and held.place > ${attemptsKept}`)
}

/** Queues whose job was due before this time and has not worked. */
export async function listLostQueues(db: Db, before: Date, limit: number): Promise<Queue[]> {
  return db.session.orm
    .select({ platformGuid: queues.platformGuid, channel: queues.channel })
    .from(queues)
    .where(and(sql`${queues.lease} is not null`, lt(queues.dueAt, before)))
    .orderBy(asc(queues.dueAt))
    .limit(limit)
}

/** Deletes at most `limit` deliveries that finished before this time; returns their number. */
export async function deleteFinished(tx: Tx, before: Date, limit: number): Promise<number> {
  const { orm } = tx.session
  const old = orm
    .select({ guid: deliveries.guid })
    .from(deliveries)
    .where(lt(deliveries.finishedAt, before))
    .limit(limit)
  const result = await orm.delete(deliveries).where(inArray(deliveries.guid, old))
  return result.rowCount ?? 0
}
