import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedDatabase } from '../src/infra/db/embedded.ts'
import { migrateDatabase } from '../src/infra/db/migrate.ts'

const template = 'downbeat_template'

/** One PostgreSQL for the whole run, with a migrated database that each test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'downbeat-tests-'))
  // Started as root, the database runs as another user, who must be able to pass through here.
  await chmod(dataDir, 0o711)
  const embedded = await startEmbeddedDatabase({ dataDir, maxConnections: 400 })
  const { host, port, user } = embedded.connection
  const admin = new pg.Client({ host, port, user, database: 'postgres' })
  await admin.connect()
  await admin.query(`create database ${template}`)
  await admin.end()
  await migrateDatabase({ host, port, user, database: template })
  project.provide('postgres', { host, port, user, template })
  return async () => {
    await embedded.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
