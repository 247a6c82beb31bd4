import { placeOf } from '../../../../infra/clock/store.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { enqueue } from '../../../../infra/jobs/jobs.ts'
import { dueAt } from '../rules/delivery.ts'
import { findFirstWaiting } from '../store/deliveries.ts'
import type { Delivery } from '../types.ts'

export const deliverJob = 'chatDeliveries.deliver'

/**
 * Enqueues a job for the delivery's next step, if it has one, to run no earlier than the step is due. A superfluous job
 * does no harm.
 */
export async function schedule(tx: Tx, delivery: Delivery, notBefore?: Date): Promise<void> {
  // In a rehearsal the next step is found by its clock. (R3)
  if (dueAt(delivery) === null || placeOf(tx) !== null) return
  const runAt = notBefore ?? delivery.nextAttemptAt
  await enqueue(tx, deliverJob, {
    payload: { guid: delivery.guid },
    ...(runAt === null ? {} : { runAt }),
  })
}

/** Enqueues a job for the delivery that waited for this one, if this one has nothing more to send. (D33) */
export async function scheduleNext(tx: Tx, before: Delivery, after: Delivery | null): Promise<void> {
  if ((after !== null && isUnderWay(after)) || placeOf(tx) !== null) return
  const guid = await findFirstWaiting(tx, before)
  if (guid !== undefined) await enqueue(tx, deliverJob, { payload: { guid } })
}

function isUnderWay({ status }: Delivery): boolean {
  return status === 'pending' || status === 'sending'
}
