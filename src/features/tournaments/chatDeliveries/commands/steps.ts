import type { Tx } from '../../../../infra/db/database.ts'
import { digestOf } from '../../../../infra/secrets.ts'
import { begun, dueAt, nextPart, postponed, settled } from '../rules/delivery.ts'
import { findPause, pauseChannel, takeChannel } from '../store/channels.ts'
import { findEarlier, lockDelivery, saveDelivery } from '../store/deliveries.ts'
import type { Outcome, Part } from '../types.ts'
import { schedule, scheduleNext } from './schedule.ts'

/** One request to the chat platform, as saved before it is sent. */
export interface Step {
  readonly guid: string
  readonly part: Part
  /**
   * A secret. A new message is sent through the channel's current webhook; a message is changed or removed through
   * the webhook that it was sent through.
   */
  readonly webhookUrl: string | null
}

/** The maximum time for a request and saving its result. A run that holds a channel for longer is considered dead. */
const maxStepMs = 12_000
/** The delay, in milliseconds, before a delivery tries again to get a channel that another run holds. */
const waitMs = 1_000

/**
 * Saves the request that is due and returns it; null if none is due yet. Only one run at a time uses a webhook. So no
 * two runs make the same request, the platform's rate limit is kept, and the parts of a delivery stay together. New
 * messages of a channel are sent in the order of their deliveries.
 * @param run identifies this run of the job
 */
export async function beginStep(tx: Tx, guid: string, run: string, now: Date): Promise<Step | null> {
  const locked = await lockDelivery(tx, guid)
  if (locked === undefined) return null
  const { delivery, webhookUrl: current } = locked
  const due = dueAt(delivery)
  if (due === null) return null
  if (delivery.nextAttemptAt !== null && due > now) {
    await schedule(tx, delivery)
    return null
  }
  const next = begun(delivery, now)
  const part = nextPart(next)
  if (part === undefined) return null
  // The end of the earlier delivery enqueues this one again.
  if (part.messageId === null && (await findEarlier(tx, delivery)) !== undefined) return null
  const webhookUrl = part.messageId === null ? current : part.webhookUrl
  if (webhookUrl !== null) {
    const scope = scopeOf(webhookUrl)
    const pause = await findPause(tx, [scope, everywhere], now)
    if (pause !== null) {
      const waiting = postponed(delivery, pause, now)
      await saveDelivery(tx, delivery, waiting)
      await schedule(tx, waiting)
      await scheduleNext(tx, delivery, waiting)
      return null
    }
    if (!(await takeChannel(tx, scope, run, later(now, maxStepMs), now))) {
      await schedule(tx, delivery, later(now, waitMs))
      return null
    }
  }
  await saveDelivery(tx, delivery, next)
  return { guid, part, webhookUrl }
}

/** The platform's request to send nothing for a while. */
export interface Pause {
  /** Milliseconds. */
  readonly ms: number
  readonly isGlobal: boolean
}

/** The result of a request. */
export interface Result {
  readonly outcome: Outcome
  readonly pause: Pause | null
}

/**
 * Saves the result of the request, unless it was saved already. Returns whether the caller has to make the next request
 * immediately.
 * @param goesOn whether the caller can make another request; if not, a job is enqueued for it
 */
export async function finishStep(
  tx: Tx,
  { guid, part, webhookUrl }: Step,
  { outcome, pause }: Result,
  goesOn: boolean,
  now: Date,
): Promise<boolean> {
  const locked = await lockDelivery(tx, guid)
  if (pause !== null && webhookUrl !== null) {
    await pauseChannel(tx, pause.isGlobal ? everywhere : scopeOf(webhookUrl), later(now, pause.ms))
  }
  // The tournament was deleted in the meantime.
  if (locked === undefined) return false
  const { delivery } = locked
  const current = delivery.parts.find(({ index }) => index === part.index)
  const isWrittenDown = current?.status !== part.status || current.revision !== part.revision
  const next = isWrittenDown ? delivery : settled(delivery, part, outcome, now)
  if (next !== delivery) await saveDelivery(tx, delivery, next)
  await scheduleNext(tx, delivery, next)
  if (next === null) return false
  if (goesOn && next.nextAttemptAt === null) return dueAt(next) !== null
  await schedule(tx, next)
  return false
}

const everywhere = 'everywhere'

/** All threads of a webhook share its rate limit, so the scope leaves the query string out. */
function scopeOf(webhookUrl: string): string {
  return digestOf(webhookUrl.replace(/\?.*$/, '')).toString('hex')
}

function later(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms)
}
