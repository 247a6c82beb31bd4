import pg from 'pg'
import type { Harness } from './harness.ts'

/** Locks the tables while `work` runs, so that nothing can read or write them; the event log must not be among them. */
export async function withoutTables(service: Harness, tables: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: service.app.config.databaseUrl as string })
  await client.connect()
  await client.query('begin')
  await client.query(`lock table ${tables} in access exclusive mode`)
  try {
    await work()
  } finally {
    await client.query('rollback')
    await client.end()
  }
}
