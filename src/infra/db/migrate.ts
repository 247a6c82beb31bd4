import path from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'

const migrations = {
  migrationsFolder: path.join(import.meta.dirname, '../../../migrations'),
  migrationsSchema: 'public',
  migrationsTable: 'migrations',
}

/** An arbitrary number that no other lock in the database uses. */
const migrationLock = 7305518000

/** Updates the schema. Several processes may start at the same time: one migrates, the others wait for it. */
export async function migrateDatabase(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: 'downbeat migrate' })
  await client.connect().catch((cause: unknown) => {
    throw new Error(`The database cannot be reached (${reasonOf(cause)}); check DATABASE_URL.`, { cause })
  })
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query('set client_min_messages = warning')
    await checkNotNewer(client)
    await migrate(drizzle(client), migrations)
  } finally {
    // The end of the connection releases the lock.
    await client.end()
  }
}

/** @throws Error when a later version of the service has migrated the database: this version might damage the data */
async function checkNotNewer(client: pg.Client): Promise<void> {
  const { rows: tables } = await client.query<{ name: string | null }>(
    "select to_regclass('public.migrations') as name",
  )
  if (tables[0]?.name === null) return
  const { rows } = await client.query<{ newest: string | null }>('select max(created_at) as newest from migrations')
  const known = readMigrationFiles(migrations).at(-1)?.folderMillis ?? 0
  if (Number(rows[0]?.newest ?? 0) <= known) return
  throw new Error(
    'The database is that of a newer version of Downbeat; start that one, or name another database in DATABASE_URL or DATA_DIR.',
  )
}

/** A name with several addresses fails with an error for each of them, and no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
