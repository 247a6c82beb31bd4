import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Config } from '../config.ts'
import type { MediaType } from '../core/media.ts'
import type { Entry } from '../infra/backup/entries.ts'
import { type Backup, openBackup } from '../infra/backup/file.ts'
import { BackupRefused } from '../infra/backup/refused.ts'
import { checkEmpty, checkVersion, loadDatabase } from '../infra/db/backup/load.ts'
import { openClient } from '../infra/db/backup/tables.ts'
import { migrateDatabase } from '../infra/db/migrate.ts'
import { deliveryHeaders } from '../infra/delivery/headers.ts'
import { createLogs } from '../infra/log.ts'
import { copyAll } from '../infra/storage/copy.ts'
import { objectName } from '../infra/storage/storage.ts'
import { syncFolder } from '../infra/storage/sync-folder.ts'
import { openStorage } from '../media-storage.ts'
import { Cleanups, connect, keyDirectory } from '../runtime.ts'
import { listKeyFiles } from './key-files.ts'
import { passphraseOf } from './passphrase.ts'

export interface RestoreOptions {
  readonly passphraseFile?: string
}

type Keys = ReadonlyMap<string, Buffer>

/**
 * Restores a backup into a service without data. The file is read three times: as a whole, before anything is changed; for
 * the media; for keys and database. The service is empty until the commit at the end: a restore that was interrupted can
 * be repeated, and finds the media that it has copied.
 */
export async function restore(config: Config, file: string, options: RestoreOptions): Promise<void> {
  const backup = await openBackup(file, () =>
    passphraseOf({ file: options.passphraseFile, given: config.backupPassphrase }),
  )
  const { keys, hasMedia } = await check(backup)
  await checkKeys(config, keys)
  const cleanups = new Cleanups()
  try {
    const connection = await connect(config, createLogs('error').log, cleanups)
    const client = await openClient(connection, 'downbeat restore')
    cleanups.add(() => client.end())
    await checkEmpty(client)
    const media = hasMedia ? await restoreMedia(config, backup) : null
    const loaded = await loadDatabase(client, backup.entries(), () => writeKeys(config, keys))
    await migrateDatabase(connection)
    // Without it the planner would know nothing of the new rows.
    await client.query('analyze')
    for (const table of loaded.foreign) console.log(`${table} is not a table of Downbeat, and was left out`)
    const ofMedia = media === null ? 'no media' : `${media.copied + media.kept} objects of media`
    console.log(
      `${loaded.records} records of ${loaded.tables} tables, ${keys.size} keys and ${ofMedia} are restored, as of ${backup.madeAt}`,
    )
    if (media !== null && media.damaged > 0) {
      throw new Error(`objects of media were damaged when the backup was made, and were left out: ${media.damaged}`)
    }
  } finally {
    await cleanups.run()
  }
}

/** Reads the whole file. @throws BackupRefused where it cannot be restored */
async function check(backup: Backup): Promise<{ keys: Keys; hasMedia: boolean }> {
  const keys = new Map<string, Buffer>()
  let [hasDatabase, hasMedia] = [false, false]
  for await (const { head, data } of backup.entries()) {
    if (head.kind === 'key') keys.set(head.name, await buffer(data))
    if (head.kind === 'object') hasMedia = true
    if (head.kind !== 'database') continue
    checkVersion(head)
    hasDatabase = true
  }
  if (!hasDatabase || !keys.has('seal.key')) throw new BackupRefused('the file is not a backup of this service')
  return { keys, hasMedia }
}

/** Keys of another service must not be replaced; keys that an interrupted restore has written are the same. */
async function checkKeys(config: Config, keys: Keys): Promise<void> {
  const directory = keyDirectory(config)
  for (const name of await listKeyFiles(directory)) {
    if (keys.get(name)?.equals(await readFile(path.join(directory, name))) === true) continue
    throw new Error(`${path.join(directory, name)} is not of this backup: name another folder in DATA_DIR`)
  }
}

async function writeKeys(config: Config, keys: Keys): Promise<void> {
  const directory = keyDirectory(config)
  const folders = new Set([config.dataDir, directory])
  for (const [name, bytes] of keys) {
    const file = path.join(directory, name)
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    folders.add(path.dirname(file))
    const draft = path.join(config.dataDir, `${path.basename(file)}.${randomUUID()}`)
    await writeFile(draft, bytes, { mode: 0o600, flag: 'wx', flush: true })
    await rename(draft, file).finally(() => rm(draft, { force: true }))
  }
  for (const folder of folders) await syncFolder(folder)
}

async function restoreMedia(config: Config, backup: Backup) {
  const source = objectsOf(backup.entries())
  return copyAll({
    from: source,
    to: await openStorage(config),
    folder: path.join(config.dataDir, 'media', 'incoming'),
    headersOf: async (digest) => deliveryHeaders(source.type(), digest.slice(0, 32)),
    onObject: (name, outcome) => outcome === 'damaged' && console.log(`${name} is damaged, and was not restored`),
  })
}

/** The objects of a backup. Only the one that was listed last can be read. */
function objectsOf(entries: AsyncIterable<Entry>) {
  let current: Extract<Entry['head'], { kind: 'object' }> | null = null
  let data: AsyncIterable<Buffer> | null = null
  return {
    type: (): MediaType => current?.type ?? 'image/webp',
    async *list() {
      for await (const read of entries) {
        if (read.head.kind !== 'object') continue
        current = read.head
        data = read.data
        yield { name: objectName(current.digest), bytes: current.bytes, changedAt: new Date(0) }
      }
    },
    async get() {
      return current === null || data === null ? null : { stream: Readable.from(data), bytes: current.bytes }
    },
  }
}
