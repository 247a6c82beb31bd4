import { deleteInBatches } from '../../../../infra/jobs/batches.ts'
import type { Job } from '../../../../infra/jobs/jobs.ts'
import { deliverJob, finishAttempt, handOver, type Turn, takeTurn } from '../commands/deliveries.ts'
import { lostBefore, sweptBefore } from '../rules/deliveries.ts'
import { deleteFinished, listLostLines, lockLine } from '../store/line.ts'
import { send } from './send.ts'

/** Then the next job has its turn, so that lines with much to send do not keep others waiting. */
const turnMs = 2_000

/**
 * Makes the attempts of a line that are due, one after the other: each is begun in one transaction, made outside of any,
 * and finished in the transaction that begins the next. When the process dies in between, the attempt is left without an
 * end, and whoever takes up the job, which happens within seconds, says so in the record and sends again.
 */
const deliver: Job = {
  name: deliverJob,
  slots: 16,
  run: async (payload, context) => {
    const turn = payload as Turn
    const { database, now } = context
    const until = now().getTime() + turnMs
    let sending = await database.transaction((tx) => takeTurn(tx, turn, now()))
    while (sending !== null) {
      const { delivery, ...target } = sending
      const message = { channel: delivery.channel, id: delivery.guid, body: delivery.body }
      const answer = await send(message, target, context, now())
      const made = sending
      const goesOn = now().getTime() < until
      sending = await database.transaction((tx) => finishAttempt(tx, turn, made, answer, goesOn, now()))
    }
  },
}

const mostLostLines = 1_000

/** Forgets deliveries that ended long ago, and finds work for lines that have lost their job. */
const sweep: Job = {
  name: 'webhooks.sweep',
  cron: '23 * * * *',
  run: async (_payload, { database, now }) => {
    const before = sweptBefore(now())
    await deleteInBatches(database, (tx, limit) => deleteFinished(tx, before, limit))
    for (const lost of await listLostLines(database.db, lostBefore(now()), mostLostLines)) {
      await database.transaction(async (tx) => {
        const line = await lockLine(tx, lost)
        if (line !== undefined && line.turn !== null) await handOver(tx, line, null, now())
      })
    }
  },
}

export const webhooksJobs: readonly Job[] = [deliver, sweep]
