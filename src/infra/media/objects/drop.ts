import type { Tx } from '../../db/database.ts'
import { enqueueEach } from '../../jobs/jobs.ts'

/** The job that deletes an object without a row. */
export const dropJob = 'media.drop'

/**
 * Enqueues the deletion of objects after the commit; objects that a row still names stay. Where clients read the bucket
 * itself, this ends their delivery. (M22)
 */
export async function dropObjects(tx: Tx, digests: readonly string[]): Promise<void> {
  await enqueueEach(
    tx,
    dropJob,
    [...new Set(digests)].map((digest) => ({ digest })),
  )
}
