import { deleteInBatches } from '../../../../infra/jobs/batches.ts'
import type { Job } from '../../../../infra/jobs/jobs.ts'
import { deliverJob, finishAttempt, handOver, type Lease, takeLease } from '../commands/deliveries.ts'
import { lostBefore, sweptBefore } from '../rules/deliveries.ts'
import { deleteFinished, listLostQueues, lockQueue } from '../store/queue.ts'
import { send } from './send.ts'

/** So long a job holds the lease before the next one has it, so that queues with much to send do not keep others waiting. */
const leaseMs = 2_000

/**
 * Makes the attempts of a queue that are due, one after the other: each is begun in one transaction, made outside of any,
 * and finished in the transaction that begins the next. When the process dies in between, the attempt is left without an
 * end, and whoever takes up the job, which happens within seconds, says so in the record and sends again.
 */
const deliver: Job = {
  name: deliverJob,
  slots: 16,
  run: async (payload, context) => {
    const lease = payload as Lease
    const { database, now } = context
    const until = now().getTime() + leaseMs
    let sending = await database.transaction((tx) => takeLease(tx, lease, now()))
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

const mostLostQueues = 1_000

/** Forgets deliveries that ended long ago, and finds work for queues that have lost their job. */
const sweep: Job = {
  name: 'webhooks.sweep',
  cron: '23 * * * *',
  run: async (_payload, { database, now }) => {
    const before = sweptBefore(now())
    await deleteInBatches(database, (tx, limit) => deleteFinished(tx, before, limit))
    for (const lost of await listLostQueues(database.db, lostBefore(now()), mostLostQueues)) {
      await database.transaction(async (tx) => {
        const queue = await lockQueue(tx, lost)
        if (queue !== undefined && queue.lease !== null) await handOver(tx, queue, null, now())
      })
    }
  },
}

export const webhooksJobs: readonly Job[] = [deliver, sweep]
