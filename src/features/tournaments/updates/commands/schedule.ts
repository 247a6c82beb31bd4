import type { Tx } from '../../../../infra/db/database.ts'
import { enqueue } from '../../../../infra/jobs/jobs.ts'
import { dueAt } from '../rules/delivery.ts'
import type { Delivery } from '../types.ts'

export const deliverJob = 'updates.deliver'

/**
 * Enqueues a job for the delivery's next step, if it has one, to run no earlier than the step is due. A superfluous job
 * does no harm.
 */
export async function schedule(tx: Tx, delivery: Delivery, notBefore?: Date): Promise<void> {
  if (dueAt(delivery) === null) return
  const runAt = notBefore ?? delivery.nextAttemptAt
  await enqueue(tx, deliverJob, {
    payload: { guid: delivery.updateGuid },
    ...(runAt === null ? {} : { runAt }),
  })
}
