import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type Entry, entry } from '../../backup/entries.ts'
import { columnsOf, listSequences, listTables, nameOf, prepareConnection, type Table } from './tables.ts'

/** The database at one instant, while others write. */
export interface DatabaseSnapshot {
  readonly tables: number
  /** The number of records written so far. */
  readonly records: number
  entries(): AsyncGenerator<Entry>
  /** Ends the snapshot, for which the database keeps old versions of rows. */
  close(): Promise<void>
}

/** @param client a connection that serves nothing else until `close` */
export async function openSnapshot(client: pg.ClientBase): Promise<DatabaseSnapshot> {
  await prepareConnection(client)
  const tables = await listTables(client)
  if (!tables.some(({ name }) => name === 'migrations')) {
    throw new Error('the database has no tables of Downbeat: set DATABASE_URL and DATA_DIR as the service has them')
  }
  await client.query('begin isolation level repeatable read read only')
  // Before the snapshot, which the first query takes: no table can change its shape from here on.
  await client.query(`lock table ${tables.map(nameOf).join(', ')} in access share mode`)
  if (JSON.stringify(await listTables(client)) !== JSON.stringify(tables)) {
    throw new Error('the database is being brought to another version: try again')
  }
  const head = await databaseHead(client, tables)
  let records = 0
  return {
    tables: tables.length,
    get records() {
      return records
    },
    async *entries() {
      yield entry(head)
      for (const table of tables) {
        const rows = client.query(copyTo(`copy ${nameOf(table)} (${columnsOf(table)}) to stdout`))
        yield entry({ kind: 'table', schema: table.schema, name: table.name, columns: [...table.columns] }, rows)
        records += rows.rowCount
      }
      for (const sequence of await listSequences(client)) yield entry({ kind: 'sequence', ...sequence })
    },
    close: async () => void (await client.query('rollback')),
  }
}

async function databaseHead(client: pg.ClientBase, tables: readonly Table[]) {
  const { rows } = await client.query<{ at: string; hash: string }>(
    'select created_at::text as at, hash from public.migrations order by created_at desc limit 1',
  )
  const [migration] = rows
  if (migration === undefined) throw new Error('the database has not been brought to a version of Downbeat yet')
  const hasJobs = tables.some(({ schema, name }) => schema === 'graphile_worker' && name === 'migrations')
  const jobs = hasJobs
    ? await client.query<{ newest: number }>('select max(id) as newest from graphile_worker.migrations')
    : null
  return {
    kind: 'database' as const,
    migration: { at: Number(migration.at), hash: migration.hash },
    jobs: jobs?.rows[0]?.newest ?? null,
  }
}
