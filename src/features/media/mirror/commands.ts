import type { Database } from '../../../infra/db/database.ts'
import { enqueue } from '../../../infra/jobs/jobs.ts'
import { askedFor, retriedAfterMs } from './rules.ts'
import { claim, findPicture, isAddressHeld, keyOf } from './store.ts'

/** The job that fetches a picture. */
export const fetchJob = 'mirror.fetch'

/**
 * Returns the stored copy of an external picture, which a part of the address names; null without one. If there is no
 * copy or it is a day old, a job fetches the picture, but only if a record contains its address. (M26)
 */
export async function findMirrored(
  database: Pick<Database, 'db' | 'transaction'>,
  part: string,
  mediaOrigin: string,
  now: Date,
): Promise<{ readonly digest: string; readonly bytes: number } | null> {
  const url = askedFor(part, mediaOrigin)
  if (url === null) return null
  const found = await findPicture(database.db, url)
  const isDue = found === undefined || found.retryAt === null || found.retryAt <= now
  if (isDue && (await isAddressHeld(database.db, url))) await haveFetched(database, url, now)
  return found?.digest == null ? null : { digest: found.digest, bytes: found.bytes ?? 0 }
}

async function haveFetched(database: Pick<Database, 'transaction'>, url: string, now: Date): Promise<void> {
  await database.transaction(async (tx) => {
    const until = new Date(now.getTime() + retriedAfterMs)
    // The user whose record contained the address may have closed the account in the meantime. Then the address, which
    // may identify them, must not be saved again.
    if (!(await isAddressHeld(tx, url)) || !(await claim(tx, url, now, until))) return
    await enqueue(tx, fetchJob, { payload: { key: keyOf(url).toString('hex') } })
  })
}
