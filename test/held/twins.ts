import { cp, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import type { Overrides } from '../../src/app.ts'
import { type Harness, startOn } from '../harness.ts'

/**
 * Services on copies of one database: what was made before the copy has the same identifiers, times and tokens in each,
 * so that their answers can be compared byte for byte.
 */
export interface Twins extends AsyncDisposable {
  /** The directory of keys that all of them have. */
  readonly dataDir: string
  /** The address that all of them give as their own. */
  readonly publicUrl: string
  /** Address of a database. */
  addressOf(database: string): string
  /** Copies a database without connections; without one, the migrated template. */
  copy(from?: string): Promise<string>
  start(database: string, limits?: Overrides): Promise<Harness>
  /** Runs statements on a database without a service. */
  run<T extends object>(database: string, text: string, values?: unknown[]): Promise<T[]>
}

let copies = 0

export async function makeTwins(publicUrl = 'http://twins.example.org'): Promise<Twins> {
  const { host, port, user, template } = inject('postgres')
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'downbeat-twins-'))
  await cp(inject('keys'), path.join(dataDir, 'keys'), { recursive: true })
  const made: string[] = []
  async function run<T extends object>(database: string, text: string, values: unknown[] = []): Promise<T[]> {
    const client = new pg.Client({ host, port, user, database })
    await client.connect()
    try {
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }
  const addressOf = (database: string) => `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`
  return {
    dataDir,
    publicUrl,
    addressOf,
    run,
    async copy(from = template) {
      const name = `twin_${process.pid}_${process.hrtime.bigint()}_${++copies}`
      await run('postgres', `create database ${name} template ${from} strategy file_copy`)
      made.push(name)
      return name
    },
    start: (database, limits) => startOn({ databaseUrl: addressOf(database), dataDir, publicUrl }, limits),
    async [Symbol.asyncDispose]() {
      for (const name of made) await run('postgres', `drop database if exists ${name} with (force)`)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
