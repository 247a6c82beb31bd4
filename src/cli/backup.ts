import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { Config } from '../config.ts'
import { findTypeOf } from '../features/media/media/store/sweep.ts'
import { type Entry, entry } from '../infra/backup/entries.ts'
import { writeBackup } from '../infra/backup/file.ts'
import { openSnapshot } from '../infra/db/backup/dump.ts'
import { type Client, openClient } from '../infra/db/backup/tables.ts'
import { whileStartsAreFree } from '../infra/db/migrate.ts'
import { ConnectionSession } from '../infra/db/session.ts'
import { createLogs } from '../infra/log.ts'
import { openStorage } from '../media-storage.ts'
import { checkNoReplacement } from '../oauth/replacing.ts'
import { Cleanups, connect, keyDirectory } from '../runtime.ts'
import { listKeyFiles } from './key-files.ts'
import { newPassphrase } from './passphrase.ts'

export interface BackupOptions {
  readonly withoutMedia?: boolean
  readonly plain?: boolean
  readonly passphraseFile?: string
}

/** Writes database, keys and media into one file, whether the service runs or not. */
export async function backup(config: Config, file: string, options: BackupOptions): Promise<void> {
  await listKeys(config)
  const passphrase =
    options.plain === true
      ? null
      : await newPassphrase({ file: options.passphraseFile, given: config.backupPassphrase })
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  const cleanups = new Cleanups()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, stop)
    cleanups.add(async () => process.off(signal, stop))
  }
  try {
    const connection = await connect(config, createLogs('error').log, cleanups)
    const client = await openClient(connection, 'downbeat backup')
    cleanups.add(() => client.end())
    // No key is replaced in between: the keys are those that the records of the snapshot need.
    const { snapshot, keys } = await whileStartsAreFree(client, async () => ({
      snapshot: await openSnapshot(client),
      keys: await readKeys(config),
    }))
    const madeAt = new Date()
    let objects = 0
    async function* entries(): AsyncGenerator<Entry> {
      for (const { name, bytes } of keys)
        yield entry({ kind: 'key', name }, Readable.from([bytes], { objectMode: false }))
      yield* snapshot.entries()
      await snapshot.close()
      if (options.withoutMedia === true) return
      for await (const object of listObjects(config, client)) {
        objects++
        yield object
      }
    }
    const bytes = await writeBackup(file, entries(), { passphrase, madeAt, signal: stopping.signal })
    const { tables, records } = snapshot
    const media = options.withoutMedia === true ? 'no media' : `${objects} objects of media`
    console.log(
      `${records} records of ${tables} tables, ${keys.length} keys and ${media}, as of ${madeAt.toISOString()}, are in ${file} (${bytes} bytes${passphrase === null ? ', not encrypted' : ''})`,
    )
  } catch (error) {
    if (stopping.signal.aborted) throw new Error('the backup was stopped, and left no file', { cause: error })
    throw error
  } finally {
    await cleanups.run()
  }
}

/** A backup without the keys would be of little use, and a wrong data directory has none. */
async function listKeys(config: Config): Promise<string[]> {
  const directory = keyDirectory(config)
  const keys = (await listKeyFiles(directory)).filter((name) => !isDraft.test(name))
  checkNoReplacement(keys)
  if (keys.includes('seal.key')) return keys
  throw new Error(`there are no keys in ${directory}: set DATA_DIR as the service has it`)
}

/** Keys that are just being written have such names. */
const isDraft = /\.new$|\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

async function readKeys(config: Config): Promise<{ readonly name: string; readonly bytes: Buffer }[]> {
  const names = await listKeys(config)
  return Promise.all(
    names.map(async (name) => ({ name, bytes: await readFile(path.join(keyDirectory(config), name)) })),
  )
}

/**
 * All objects that are stored now: those of the snapshot, without the ones that were deleted since, and those of later
 * uploads, which the sweep of a restored service deletes.
 */
async function* listObjects(config: Config, client: Client): AsyncGenerator<Entry> {
  const db = { session: new ConnectionSession(client) }
  const storage = await openStorage(config)
  for await (const { name } of storage.list('objects/')) {
    const digest = path.posix.basename(name)
    const found = /^[\da-f]{64}$/.test(digest) ? await storage.get(name) : null
    if (found === null) continue
    const type = await findTypeOf(db, digest)
    yield entry({ kind: 'object', digest, bytes: found.bytes, type }, found.stream as AsyncIterable<Buffer>)
  }
}
