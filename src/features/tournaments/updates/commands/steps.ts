import type { Tx } from '../../../../infra/db/database.ts'
import { digestOf } from '../../../../infra/secrets.ts'
import { begun, dueAt, nextPart, type Outcome, postponed, settled } from '../rules/delivery.ts'
import { findPause, holdChannel, pauseChannel } from '../store/channels.ts'
import { lockDelivery, saveDelivery } from '../store/deliveries.ts'
import type { Part } from '../types.ts'
import { schedule } from './schedule.ts'

/** One request to the chat platform, as it was written down. */
export interface Step {
  readonly updateGuid: string
  readonly part: Part
  /** Secret. The tournament's own for what is sent; for what is changed or removed, that which it was sent through. */
  readonly webhookUrl: string | null
}

/** A request and what follows from it take no longer; whoever holds a channel for longer is dead. */
const longestStepMs = 12_000
/** How soon a delivery looks again whether another one is done with the channel. */
const waitMs = 1_000

/**
 * Writes down the request that is due; null when none is, or not yet. One run at a time uses a webhook, so that no two
 * make the same request, what the platform tells of its limits holds, and the parts of an update stay together.
 * @param run what tells this run of the job from others
 */
export async function beginStep(tx: Tx, updateGuid: string, run: string, now: Date): Promise<Step | null> {
  const locked = await lockDelivery(tx, updateGuid)
  if (locked === undefined) return null
  const { delivery, chatWebhookUrl } = locked
  const due = dueAt(delivery)
  if (due === null) return null
  if (delivery.nextAttemptAt !== null && due > now) {
    await schedule(tx, delivery)
    return null
  }
  const next = begun(delivery, now)
  const part = nextPart(next)
  if (part === undefined) return null
  const webhookUrl = part.messageId === null ? chatWebhookUrl : part.webhookUrl
  if (webhookUrl !== null) {
    const scope = scopeOf(webhookUrl)
    const pause = await findPause(tx, [scope, everywhere], now)
    if (pause !== null) {
      const waiting = postponed(delivery, pause, now)
      await saveDelivery(tx, delivery, waiting)
      await schedule(tx, waiting)
      return null
    }
    if (!(await holdChannel(tx, scope, run, later(now, longestStepMs), now))) {
      await schedule(tx, delivery, later(now, waitMs))
      return null
    }
  }
  await saveDelivery(tx, delivery, next)
  return { updateGuid, part, webhookUrl }
}

/** What is told with an answer of how much may be sent. */
export interface Pause {
  /** Milliseconds. */
  readonly ms: number
  readonly isGlobal: boolean
}

/** How a request ended. */
export interface Result {
  readonly outcome: Outcome
  readonly pause: Pause | null
}

/**
 * Writes down how the request ended, unless that was done already, and answers whether the next one is to be made by whoever made this one, at once.
 * @param goesOn whether they could; what they do not do is left to another job
 */
export async function finishStep(
  tx: Tx,
  { updateGuid, part, webhookUrl }: Step,
  { outcome, pause }: Result,
  goesOn: boolean,
  now: Date,
): Promise<boolean> {
  const locked = await lockDelivery(tx, updateGuid)
  if (pause !== null && webhookUrl !== null) {
    await pauseChannel(tx, pause.isGlobal ? everywhere : scopeOf(webhookUrl), later(now, pause.ms))
  }
  // The tournament was deleted meanwhile.
  if (locked === undefined) return false
  const { delivery } = locked
  const current = delivery.parts.find(({ index }) => index === part.index)
  const isWrittenDown = current?.status !== part.status || current.revision !== part.revision
  const next = isWrittenDown ? delivery : settled(delivery, part, outcome, now)
  if (next !== delivery) await saveDelivery(tx, delivery, next)
  if (next === null) return false
  if (goesOn && next.nextAttemptAt === null) return dueAt(next) !== null
  await schedule(tx, next)
  return false
}

const everywhere = 'everywhere'

/** All threads of a webhook share its limit. */
function scopeOf(webhookUrl: string): string {
  return digestOf(webhookUrl.replace(/\?.*$/, '')).toString('hex')
}

function later(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms)
}
