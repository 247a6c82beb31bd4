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

export interface Migration {
  readonly at: number
  readonly hash: string
}

/** Oldest first, with the SQL statements of each. */
export function migrationsUpTo(newest: number): (Migration & { readonly statements: readonly string[] })[] {
  return readMigrationFiles(migrations)
    .filter(({ folderMillis }) => folderMillis <= newest)
    .map(({ folderMillis, hash, sql }) => ({ at: folderMillis, hash, statements: sql }))
}

/** Why this version cannot continue from a migration; null where it can. */
export function unknownMigration({ at, hash }: Migration): string | null {
  const known = migrationsUpTo(at).find((migration) => migration.at === at)
  if (known?.hash === hash) return null
  return known === undefined
    ? 'the backup was made by a newer version of Downbeat: restore it with that one'
    : 'the backup was made by a version of Downbeat that is not an earlier one of this'
}

/** Until the end of the transaction, no other process updates the schema. */
export async function lockMigrations(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
}

/** Until the connection ends, no process starts to use the database. */
export async function holdStarts(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [migrationLock])
}

/**
 * Runs `work` while no process holds starts, by `holdStarts`.
 * @throws what `work` throws; the connection has to be ended then
 */
export async function whileStartsAreFree<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('select pg_advisory_lock_shared($1)', [migrationLock])
  const result = await work()
  await client.query('select pg_advisory_unlock_shared($1)', [migrationLock])
  return result
}

/** Makes the schema as it was at a migration, in the transaction of the caller, and without records of migrations. */
export async function applyMigrations(client: pg.ClientBase, newest: Migration): Promise<void> {
  await client.query('create table public.migrations (id serial primary key, hash text not null, created_at bigint)')
  for (const { statements } of migrationsUpTo(newest.at)) {
    for (const statement of statements) await client.query(statement)
  }
}

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
  const known = migrationsUpTo(Number.POSITIVE_INFINITY).at(-1)?.at ?? 0
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
