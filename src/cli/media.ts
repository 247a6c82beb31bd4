import path from 'node:path'
import type { Config } from '../config.ts'
import { check } from '../features/media/media/commands/checking.ts'
import { sweep } from '../features/media/media/commands/sweeping.ts'
import { findTypeOf } from '../features/media/media/store/sweep.ts'
import type { Database } from '../infra/db/database.ts'
import { deliveryHeaders } from '../infra/delivery/headers.ts'
import { createLogs } from '../infra/log.ts'
import { copyAll } from '../infra/storage/copy.ts'
import { FileStorage } from '../infra/storage/files.ts'
import type { Storage } from '../infra/storage/storage.ts'
import { openStorage } from '../media-storage.ts'
import { openRuntime } from '../runtime.ts'

/** Commands for media, which work whether the service runs or not. (M13) */

export async function sweepMedia(config: Config): Promise<void> {
  await withMedia(config, async (database, storage) => {
    const incoming = path.join(config.dataDir, 'media', 'incoming')
    const swept = await sweep({ database, storage, incoming, now: new Date() })
    console.log(
      `deleted ${swept.unused} unused media, ${swept.incoming} files of uploads that ended, ${swept.objects} objects without a record, ${swept.variants} variants`,
    )
  })
}

/** Prints one line for each difference; the exit code says whether there is any. */
export async function checkMedia(config: Config, deep: boolean): Promise<void> {
  await withMedia(config, async (database, storage) => {
    const { faults, objects, unnamed } = await check(database.db, storage, deep, new Date())
    for (const fault of faults) console.log(fault)
    console.log(`${objects} objects are named by records, ${unnamed} by none yet; ${faults.length} differences`)
    if (faults.length > 0) process.exitCode = 1
  })
}

/** A damaged object stays where it is; the exit code says whether there is any. (M15) */
export async function moveMedia(config: Config, back: boolean): Promise<void> {
  if (config.media.s3 === null)
    throw new Error('there is no S3-compatible storage: set MEDIA_S3_ENDPOINT and what goes with it')
  const files = new FileStorage(path.join(config.dataDir, 'media'))
  await withMedia(config, async ({ db }, bucket) => {
    const { copied, kept, damaged } = await copyAll({
      ...(back ? { from: bucket, to: files } : { from: files, to: bucket }),
      folder: path.join(config.dataDir, 'media', 'incoming'),
      headersOf: async (digest) => deliveryHeaders(await findTypeOf(db, digest), digest.slice(0, 32)),
      onObject: (name, outcome) => outcome === 'damaged' && console.log(`${name} is damaged, and was not copied`),
    })
    console.log(`${copied} objects copied, ${kept} were there already, ${damaged} are damaged`)
    if (damaged > 0) process.exitCode = 1
  })
}

async function withMedia(config: Config, work: (database: Database, storage: Storage) => Promise<void>): Promise<void> {
  const { database, cleanups } = await openRuntime(config, createLogs('error').log)
  try {
    await work(database, await openStorage(config))
  } finally {
    await cleanups.run()
  }
}
