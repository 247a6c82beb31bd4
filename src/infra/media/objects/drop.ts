import type { Tx } from '../../db/database.ts'
import { enqueueEach } from '../../jobs/jobs.ts'

/** The job that removes an object which no row names any more. */
export const dropJob = 'media.drop'

/** Has objects removed after the commit, unless a row names one still: where everybody reads the bucket itself they end so. (M22) */
export async function dropObjects(tx: Tx, digests: readonly string[]): Promise<void> {
  await enqueueEach(
    tx,
    dropJob,
    [...new Set(digests)].map((digest) => ({ digest })),
  )
}
