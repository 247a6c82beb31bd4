import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { removeAllDevices } from '../features/people/pushDevices/commands/devices.ts'
import { features } from '../features.ts'
import { type Client, openClient } from '../infra/db/backup/tables.ts'
import { type Database, openDatabase } from '../infra/db/database.ts'
import { holdStarts, migrateDatabase } from '../infra/db/migrate.ts'
import { createLogs } from '../infra/log.ts'
import { type Resealed, sumResealed } from '../infra/sealed-text.ts'
import { sealBy } from '../oauth/keys.ts'
import { beginReplacement, type Replacement, readSecret, type SecretName } from '../oauth/replacing.ts'
import { Cleanups, connect, keyDirectory } from '../runtime.ts'

const connectionName = 'downbeat replacement of a key'

/** Encrypts everything that the secret of the installation protects with a new one, and deletes the old one. */
export async function rotateSeal(config: Config): Promise<void> {
  const { resealed, lost } = await replace(config, 'seal.key', async (database, { old, next }) => {
    const change = { old: sealBy(old), next: sealBy(next) }
    return database.transaction(async (tx) => {
      const counts: Resealed[] = []
      for (const { slice } of features) {
        if (slice.reseal !== undefined) counts.push(await slice.reseal(tx, change, new Date()))
      }
      return sumResealed(counts)
    })
  })
  console.log(
    `seal.key is a new one, which ${resealed} secrets have; the old one opens nothing more${lost > 0 ? `; ${lost} were of another installation, and stay unreadable` : ''}.`,
  )
}

/** Makes a new key pair for push services, and removes all devices, whose subscriptions belong to the old one. */
export async function rotatePushKey(config: Config): Promise<void> {
  const removed = await replace(config, 'vapid.key', (database) =>
    database.transaction((tx) => removeAllDevices(tx, new Date())),
  )
  console.log(`vapid.key is a new one; ${removed} devices were removed, and their users notified.`)
}

/**
 * Replaces a secret that each process reads at its start. No process may have the old one while the database is changed: a
 * running service is refused, and one that starts meanwhile waits, or sees that the secret is being replaced.
 */
async function replace<T>(
  config: Config,
  name: SecretName,
  change: (database: Database, replacement: Replacement) => Promise<T>,
): Promise<T> {
  const directory = keyDirectory(config)
  // Before an embedded database is made for a wrong DATA_DIR.
  await readSecret(directory, name)
  const cleanups = new Cleanups()
  try {
    const connection = await connect(config, createLogs('error').log, cleanups)
    await migrateDatabase(connection)
    const client = await openClient(connection, connectionName)
    cleanups.add(() => client.end())
    await holdStarts(client)
    const replacement = await beginReplacement(directory, name)
    // After the new secret is on disk: a process that does not see it is connected by now.
    await checkNobodyServes(client).catch(async (error: unknown) => {
      await replacement.giveUp()
      throw error
    })
    const database = await openDatabase({ connection, onError: () => {} })
    cleanups.add(() => database.close())
    const result = await change(database, replacement)
    await replacement.end()
    return result
  } finally {
    await cleanups.run()
  }
}

/** Connections of commands that use neither secret, or that wait until this one has ended. */
const withoutSecrets = ['downbeat migrate', 'downbeat backup', 'downbeat restore', connectionName]

/** A server closes the connections of a process that has just ended within this time. */
const patienceMs = 2_000

/** @throws Error while the service or another command uses the database */
async function checkNobodyServes(client: Client): Promise<void> {
  const since = Date.now()
  while (await isServed(client)) {
    if (Date.now() - since > patienceMs) {
      throw new Error('the service runs, or another command does: stop it on every machine, and try again')
    }
    await wait(100)
  }
}

async function isServed(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    `select exists (
    select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and application_name like 'downbeat%' and application_name <> all($1)) as is`,
    [withoutSecrets],
  )
  return rows[0]?.is === true
}
