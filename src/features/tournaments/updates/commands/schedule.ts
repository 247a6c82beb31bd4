import type { Tx } from '../../../../infra/db/database.ts'
import { enqueue } from '../../../../infra/jobs/jobs.ts'
import { dueAt } from '../rules/delivery.ts'
import type { Delivery } from '../types.ts'

export const deliverJob = 'updates.deliver'

/** Has a job take up the delivery when something of it is due, and not before then. A job too many does no harm. */
export async function schedule(tx: Tx, delivery: Delivery, notBefore?: Date): Promise<void> {
  if (dueAt(delivery) === null) return
  const runAt = notBefore ?? delivery.nextAttemptAt
  await enqueue(tx, deliverJob, {
    payload: { guid: delivery.updateGuid },
    ...(runAt === null ? {} : { runAt }),
  })
}
