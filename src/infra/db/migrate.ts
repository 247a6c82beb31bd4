import path from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'

const migrationsFolder = path.join(import.meta.dirname, '../../../migrations')

/** Any number that nothing else in the database locks. */
const migrationLock = 7305518000

/** Brings the schema up to date. Several processes may start at once: one migrates, the others wait for it. */
export async function migrateDatabase(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: 'downbeat migrate' })
  await client.connect().catch((cause: unknown) => {
    throw new Error(`The database cannot be reached (${reasonOf(cause)}); check DATABASE_URL.`, { cause })
  })
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query('set client_min_messages = warning')
    await migrate(drizzle(client), { migrationsFolder, migrationsSchema: 'public', migrationsTable: 'migrations' })
  } finally {
    // Ending the connection gives the lock back.
    await client.end()
  }
}

/** A name with several addresses fails with an error for each, and no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
