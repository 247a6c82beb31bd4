import { setTimeout } from 'node:timers/promises'
import {
  ChatWebhookError,
  type ChatWebhookFault,
  createChatWebhookClient,
} from '../../../infra/clients/chat-webhooks.ts'
import { placeOf } from '../../../infra/clock/store.ts'
import type { DueWork } from '../../../infra/jobs/due.ts'
import type { Job, JobContext } from '../../../infra/jobs/jobs.ts'
import { digestOf, newSecret } from '../../../infra/secrets.ts'
import { type Perform, recordStep } from './commands/recorded.ts'
import { deliverJob } from './commands/schedule.ts'
import { beginStep, finishStep, type Pause, type Result, type Step } from './commands/steps.ts'
import { isWebhookUsable } from './rules/webhooks.ts'
import { deleteChannels, releaseChannels } from './store/channels.ts'
import { findDueRecorded } from './store/recorded.ts'
import type { Outcome } from './types.ts'

/** The maximum duration of a run: a process that shuts down waits for its jobs. */
const maxRunMs = 5_000

/**
 * Makes the requests of a delivery that are due. Each request is saved in one transaction, sent outside of any
 * transaction, and its result is saved in another. If the process dies in between, the part stays `sending`. The run
 * that retries the job, within seconds, then knows that the result of the request is unknown.
 */
const deliver: Job = {
  name: deliverJob,
  slots: 4,
  run: async (payload, context) => {
    const { guid } = payload as { readonly guid: string }
    const { database, now } = context
    const run = newSecret()
    const until = now().getTime() + maxRunMs
    try {
      for (let goesOn = true; goesOn; ) {
        const step = await database.transaction((tx) => beginStep(tx, guid, run, now()))
        if (step === null) return
        const result = await perform(step, context)
        const hasTime = now().getTime() < until
        goesOn = await persistently(() => database.transaction((tx) => finishStep(tx, step, result, hasTime, now())))
      }
    } finally {
      await database.transaction((tx) => releaseChannels(tx, run))
    }
  },
}

async function perform(step: Step, context: JobContext): Promise<Result> {
  const { clients, services, log } = context
  const { webhookUrl } = step
  if (webhookUrl === null || !isWebhookUsable(webhookUrl, services.config.chat.apiUrl))
    return { outcome: noWebhook, pause: null }
  try {
    return await request(step, webhookUrl, clients.chatWebhooks)
  } catch (error) {
    if (!(error instanceof ChatWebhookError)) throw error
    log.warn({ err: error, delivery: step.guid, part: step.part.index }, 'chat delivery')
    return { outcome: outcomeOf(error), pause: pauseOf(error) }
  }
}

type Client = JobContext['clients']['chatWebhooks']

async function request({ guid, part }: Step, webhookUrl: string, client: Client): Promise<Result> {
  const { message, messageId } = part
  if (message === null) return taken(messageId === null ? { pauseMs: 0 } : await client.remove(webhookUrl, messageId))
  if (messageId !== null) return taken(await client.edit(webhookUrl, messageId, message))
  const { pauseMs, ...sent } = await client.send(webhookUrl, message, nonceOf(guid, part))
  return { outcome: { kind: 'done', sent: { ...sent, webhookUrl } }, pause: pauseFor(pauseMs) }
}

function taken({ pauseMs }: { readonly pauseMs: number }): Result {
  return { outcome: { kind: 'done', sent: null }, pause: pauseFor(pauseMs) }
}

function pauseFor(ms: number): Pause | null {
  return ms > 0 ? { ms, isGlobal: false } : null
}

/**
 * The nonce is the same for every attempt to send one text as one part. It has 22 characters; the platform allows 25.
 */
function nonceOf(guid: string, { index, revision }: Step['part']): string {
  return digestOf(`${guid} ${index} ${revision}`).toString('base64url').slice(0, 22)
}

const noWebhook: Outcome = {
  kind: 'fault',
  error: 'The tournament has no chat webhook that can be used; set one and try again.',
  isPassing: false,
  mayBeDone: false,
}

function outcomeOf({ fault, detail, retryAfterMs, mayBeDone }: ChatWebhookError): Outcome {
  if (fault === 'message_gone') return { kind: 'gone' }
  const limit = fault === 'limited' ? { limit: { waitMs: retryAfterMs } } : {}
  return {
    kind: 'fault',
    error: `${sentences[fault]} (${detail}).`,
    isPassing: fault === 'limited' || fault === 'unreachable',
    mayBeDone,
    ...limit,
  }
}

const sentences: Readonly<Record<Exclude<ChatWebhookFault, 'message_gone'>, string>> = {
  limited: 'The chat platform wants less to be sent',
  webhook_gone: 'The chat webhook does not exist any more',
  refused: 'The chat platform refuses the message',
  unreachable: 'The chat platform gives no usable answer',
}

function pauseOf({ fault, retryAfterMs, isGlobal }: ChatWebhookError): Pause | null {
  return fault === 'limited' && retryAfterMs !== null ? { ms: retryAfterMs, isGlobal } : null
}

const attempts = 20
const waitMs = 500

/** Retries while the database is unavailable: if the platform's answer is not saved, the message is sent again. */
async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (let left = attempts; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left <= 1) throw error
      await setTimeout(waitMs)
    }
  }
}

const hourMs = 3_600_000

const forgetChannels: Job = {
  name: 'chatDeliveries.forgetChannels',
  cron: '11 4 * * *',
  run: async (_payload, { database, now }) =>
    database.transaction((tx) => deleteChannels(tx, new Date(now().getTime() - hourMs))),
}

const performRecorded: Perform = async (step, http) => {
  try {
    return (await request(step, step.webhookUrl ?? '', createChatWebhookClient(http))).outcome
  } catch (error) {
    if (!(error instanceof ChatWebhookError)) throw error
    return outcomeOf(error)
  }
}

const recordDue: DueWork = {
  name: 'chatDeliveries.record',
  inRehearsals: true,
  run: async ({ database }) => {
    const place = placeOf(database.db)
    if (place === null) return null
    const { guids, nextMs } = await findDueRecorded(database.db, place.tournament)
    let made = 0
    for (const guid of guids) {
      if (await database.transaction((tx) => recordStep(tx, guid, place, performRecorded))) made++
    }
    return made > 0 ? 0 : nextMs
  },
}

export const chatDeliveriesDue: readonly DueWork[] = [recordDue]

export const chatDeliveriesJobs: readonly Job[] = [deliver, forgetChannels]
