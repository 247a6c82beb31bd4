import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Unreachable } from '../../../infra/clients/http.ts'
import type { Decoded } from '../../../infra/decoder/requests.ts'
import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import type { Job, JobContext } from '../../../infra/jobs/jobs.ts'
import { storeObject } from '../../../infra/media/objects/keep.ts'
import { lockObjectForShare } from '../../../infra/media/objects/store.ts'
import { objectName } from '../../../infra/storage/storage.ts'
import { fetchJob } from './commands.ts'
import { keptAfterDroppedMs, renewedAfterMs } from './rules.ts'
import {
  deleteDropped,
  findByKey,
  forgetAwaited,
  isAddressHeld,
  noteHeld,
  removePicture,
  savePicture,
} from './store.ts'

/** Number of concurrent jobs. They wait for external servers. */
const slots = 4
/** Maximum number of attempts: the sweep may delete an object that was just stored, before a row names it. */
const maxTries = 3

/**
 * Fetches an external picture and stores a copy. If the picture cannot be fetched or decoded, there is no copy, and the
 * next attempt is an hour later: the request that enqueued the job saved that time. (M26)
 */
const fetchPicture: Job = {
  name: fetchJob,
  slots,
  run: async (payload, context) => {
    const { key } = payload as { readonly key: string }
    const { database, clients, services } = context
    const picture = await findByKey(database.db, key)
    if (picture === undefined) return
    const { url } = picture
    // The address may have been saved just as the last record dropped it. It would then stay for a month.
    if (!(await isAddressHeld(database.db, url))) return database.transaction((tx) => forgetAwaited(tx, url))
    const folder = path.join(services.config.dataDir, 'media', 'incoming')
    await mkdir(folder, { recursive: true, mode: 0o750 })
    const [source, target] = [path.join(folder, randomUUID()), path.join(folder, randomUUID())]
    try {
      const isThere = await clients.pictures.save(url, source).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Unreachable) return false
          throw error
        },
      )
      const made = isThere ? await services.decoder.mirror(source, target) : null
      if (made === null || 'fault' in made) await database.transaction((tx) => removePicture(tx, url))
      else await keep(context, url, made, target)
    } finally {
      await Promise.all([source, target].map((file) => rm(file, { force: true })))
    }
  },
}

/** Stores the object before a row names it, and locks it against the sweep in between. (M12, M13) */
async function keep({ database, services, now }: JobContext, url: string, made: Decoded, file: string): Promise<void> {
  const { storage } = services
  for (let tries = 1; ; tries++) {
    await storeObject(storage, made, file, `${file}-${tries}`)
    const isKept = await database.transaction(async (tx) => {
      await lockObjectForShare(tx, made.digest)
      if ((await storage.head(objectName(made.digest))) === null) return false
      await savePicture(tx, url, made, now(), new Date(now().getTime() + renewedAfterMs))
      return true
    })
    if (isKept) return
    if (tries === maxTries) throw new Error('a picture that was kept is gone time and again')
  }
}

const notedAtOnce = 500

/** Daily: marks pictures that no record names, and deletes pictures that no record has named for 30 days. */
const sweep: Job = {
  name: 'mirror.sweep',
  cron: '37 3 * * *',
  run: async (_payload, { database, now }) => {
    let after: string | null = null
    do {
      const from: string | null = after
      after = await database.transaction((tx) => noteHeld(tx, from, notedAtOnce, now()))
    } while (after !== null)
    const before = new Date(now().getTime() - keptAfterDroppedMs)
    await deleteInBatches(database, (tx, limit) => deleteDropped(tx, before, limit))
  },
}

export const mirrorJobs: readonly Job[] = [fetchPicture, sweep]
