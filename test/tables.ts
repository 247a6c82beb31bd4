import pg from 'pg'
import type { Harness } from './harness.ts'

/** Nothing that reads or writes the tables is answered while `work` runs; the event log is not among them. */
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
