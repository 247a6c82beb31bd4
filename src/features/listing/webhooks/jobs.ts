import type { Effects } from '../../../core/operation.ts'
import type { WebhookAnswer } from '../../../infra/clients/webhook.ts'
import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import type { Job } from '../../../infra/jobs/jobs.ts'
import { chatWebhookFault } from '../platforms/rules.ts'
import { beginNextAttempt, deliverJob, finishAttempt, handOver, type Lease } from './commands/deliveries.ts'
import { lostBefore, sweptBefore, webhookHeaders } from './rules.ts'
import { deleteFinished, listLostQueues, lockQueue } from './store/queue.ts'
import type { Channel } from './types.ts'

export interface Message {
  readonly channel: Channel
  /** The same for every attempt, so that receivers can recognise a delivery that they have already. */
  readonly id: string
  readonly body: string
}

/** The address of a message, and the secret that signs it. */
export interface Target {
  readonly address: string
  readonly secret: string | null
}

type Context = Pick<Effects, 'services' | 'clients'>

/** Makes one attempt. Never throws because of the network or the receiver. */
export async function send(
  { channel, id, body }: Message,
  { address, secret }: Target,
  { services, clients }: Context,
  now: Date,
): Promise<WebhookAnswer> {
  if (channel === 'custom') {
    return clients.webhooks.custom.post({ url: address, body, headers: webhookHeaders({ id, body }, secret, now) })
  }
  // The operator configures the chat platform's host, so it may be in a private network; all other hosts are refused.
  const fault = chatWebhookFault(address, services.config.chat.apiUrl)
  if (fault !== null) return { status: null, error: `The chat webhook ${fault}.`, durationMs: 0, retryAfterMs: null }
  return clients.webhooks.chat.post({ url: address, body })
}

/** How long a job keeps the lease of a queue before it hands over, so that long queues do not block others. */
const leaseMs = 2_000

/**
 * Makes the due attempts of a queue, one after the other. Each attempt begins in one transaction, is sent outside of
 * any, and is finished in the transaction that begins the next. If the process dies in between, the attempt stays
 * unfinished. The job is taken over within seconds; the new process marks the attempt as interrupted and sends again.
 */
const deliver: Job = {
  name: deliverJob,
  slots: 16,
  run: async (payload, context) => {
    const lease = payload as Lease
    const { database, now } = context
    const until = now().getTime() + leaseMs
    let sending = await database.transaction((tx) => beginNextAttempt(tx, lease, now()))
    while (sending !== null) {
      const { delivery, ...target } = sending
      const message = { channel: delivery.channel, id: delivery.guid, body: delivery.body }
      const answer = await send(message, target, context, now())
      const made = sending
      const goesOn = now().getTime() < until
      sending = await database.transaction((tx) => finishAttempt(tx, lease, made, answer, goesOn, now()))
    }
  },
}

const maxLostQueues = 1_000

/** Deletes deliveries that ended long ago, and starts a new job for queues that have lost theirs. */
const sweep: Job = {
  name: 'webhooks.sweep',
  cron: '23 * * * *',
  run: async (_payload, { database, now }) => {
    const before = sweptBefore(now())
    await deleteInBatches(database, (tx, limit) => deleteFinished(tx, before, limit))
    for (const lost of await listLostQueues(database.db, lostBefore(now()), maxLostQueues)) {
      await database.transaction(async (tx) => {
        const queue = await lockQueue(tx, lost)
        if (queue !== undefined && queue.lease !== null) await handOver(tx, queue, null, now())
      })
    }
  },
}

export const webhooksJobs: readonly Job[] = [deliver, sweep]
