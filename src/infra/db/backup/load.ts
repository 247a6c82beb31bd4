import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Entry, HeadOf } from '../../backup/entries.ts'
import { BackupRefused } from '../../backup/refused.ts'
import { applyJobMigrations } from '../../jobs/schema.ts'
import { applyMigrations, lockMigrations, unknownMigration } from '../migrate.ts'
import { columnsOf, type ForeignKey, listForeignKeys, listTables, nameOf, prepareConnection } from './tables.ts'

/** @throws BackupRefused where the backup is of a version that this one cannot bring up to date */
export function checkVersion({ migration }: HeadOf<'database'>): void {
  const fault = unknownMigration(migration)
  if (fault !== null) throw new BackupRefused(fault)
}

/** @throws Error where the database has tables */
export async function checkEmpty(client: pg.ClientBase): Promise<void> {
  const [table] = await listTables(client)
  if (table === undefined) return
  throw new Error(
    `the database is not empty, it has the table ${nameOf(table)}: name another one in DATABASE_URL, or in DATA_DIR`,
  )
}

interface Loaded {
  readonly tables: number
  readonly records: number
  /** Tables that the service does not have, and whose rows were left out. */
  readonly foreign: readonly string[]
}

/**
 * Loads the database of a backup, in one transaction. Its tables are made by the migrations that the backup had, so that
 * later ones find what they expect.
 * @param beforeCommit the last thing before the commit; where it fails, the database stays empty
 */
export async function loadDatabase(
  client: pg.ClientBase,
  entries: AsyncIterable<Entry>,
  beforeCommit: () => Promise<void>,
): Promise<Loaded> {
  await prepareConnection(client)
  await client.query('begin')
  try {
    // A service that starts meanwhile waits, and finds the tables.
    await lockMigrations(client)
    await checkEmpty(client)
    const loaded = await loadEntries(client, entries)
    await beforeCommit()
    await client.query('commit')
    return loaded
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function loadEntries(client: pg.ClientBase, entries: AsyncIterable<Entry>): Promise<Loaded> {
  let made: Made | null = null
  let [tables, records] = [0, 0]
  const foreign: string[] = []
  for await (const { head, data } of entries) {
    if (head.kind === 'object') break
    if (head.kind === 'database') made = await makeTables(client, head)
    if (head.kind === 'table') {
      if (made?.tables.has(nameOf(head)) !== true) {
        foreign.push(nameOf(head))
        continue
      }
      const rows = client.query(copyFrom(`copy ${nameOf(head)} (${columnsOf(head)}) from stdin`))
      await pipeline(data, rows)
      tables++
      records += rows.rowCount
    }
    if (head.kind === 'sequence' && made !== null) await setSequence(client, head)
  }
  if (made === null) throw new BackupRefused('the file has no database')
  await restoreRules(client, made)
  return { tables, records, foreign }
}

interface Made {
  readonly tables: ReadonlySet<string>
  readonly foreignKeys: readonly ForeignKey[]
}

/**
 * Makes the tables, without the rows that migrations insert. Until all rows are there, foreign keys are dropped, since no
 * order of the tables would satisfy them, and triggers are off, since what they did is among the rows.
 */
async function makeTables(client: pg.ClientBase, head: HeadOf<'database'>): Promise<Made> {
  await applyMigrations(client, head.migration)
  if (head.jobs !== null) await applyJobMigrations(client, head.jobs)
  await client.query('set constraints all immediate')
  const tables = (await listTables(client)).map(nameOf)
  const foreignKeys = await listForeignKeys(client)
  await each(client, foreignKeys, ({ table, name }) => `alter table ${table} drop constraint ${name}`)
  await client.query(`truncate ${tables.join(', ')}`)
  await each(client, tables, (table) => `alter table ${table} disable trigger user`)
  return { tables: new Set(tables), foreignKeys }
}

async function restoreRules(client: pg.ClientBase, { tables, foreignKeys }: Made): Promise<void> {
  // Also checks all rows.
  await each(
    client,
    foreignKeys,
    ({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`,
  )
  await each(client, tables, (table) => `alter table ${table} enable trigger user`)
}

async function each<T>(client: pg.ClientBase, items: Iterable<T>, statementFor: (item: T) => string): Promise<void> {
  for (const item of items) await client.query(statementFor(item))
}

async function setSequence(client: pg.ClientBase, sequence: HeadOf<'sequence'>): Promise<void> {
  await client.query('select setval(to_regclass($1), $2::bigint, $3)', [
    nameOf(sequence),
    sequence.last,
    sequence.isCalled,
  ])
}
