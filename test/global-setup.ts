import { chmod, mkdir, mkdtemp, rm, statfs } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../src/infra/db/embedded.ts'
import { migrateDatabase } from '../src/infra/db/migrate.ts'
import { openKeyRing } from '../src/oauth/keys.ts'
import { accessTokenLifetime } from '../src/oauth/tokens.ts'

const template = 'downbeat_template'

/**
 * Writes do not wait for the disk, because nothing here outlives the run. Tests of crashes use clusters of their own,
 * which are as durable as the service's.
 */
const settings = ['fsync = off', 'synchronous_commit = off', 'full_page_writes = off', 'autovacuum = off']

const neededBytes = 2 * 1024 ** 3

/**
 * Prepares what the whole run shares: a PostgreSQL server, a migrated database that each service copies, and a signing
 * key.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(await roomInMemory(), 'downbeat-tests-'))
  // When started as root, the database runs as another user, who needs access to this folder.
  await chmod(dataDir, 0o711)
  const embedded = await startEmbeddedDatabase({ dataDir, maxConnections: 400 })
  const { host, port, user } = embedded.connection
  const admin = new pg.Client({ host, port, user, database: 'postgres' })
  await admin.connect()
  for (const setting of settings) await admin.query(`alter system set ${setting}`)
  await admin.query('select pg_reload_conf()')
  await admin.query(`create database ${template}`)
  await admin.end()
  await makeTemplate(embedded.connection)
  const keys = path.join(dataDir, 'keys')
  await mkdir(keys)
  await openKeyRing(keys, accessTokenLifetime, new Date())
  project.provide('postgres', { host, port, user, template })
  project.provide('keys', keys)
  return async () => {
    await embedded.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A folder in memory if there is enough room, because each service's database consists of a thousand small files. */
async function roomInMemory(): Promise<string> {
  const memory = '/dev/shm'
  const room = await statfs(memory).catch(() => null)
  return room !== null && room.bavail * room.bsize >= neededBytes ? memory : os.tmpdir()
}

/**
 * Creates the tables of the service and of its jobs. They are never vacuumed or analysed: the planner would assume that
 * an empty table stays empty, and would read all of it for each check of a foreign key.
 */
async function makeTemplate({ host, port, user }: EmbeddedDatabase['connection']): Promise<void> {
  await migrateDatabase({ host, port, user, database: template })
  await runMigrations({ connectionString: `postgres://${user}@${encodeURIComponent(host)}:${port}/${template}` })
}
