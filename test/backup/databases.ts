import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { type Config, readConfig } from '../../src/config.ts'

/** Databases without tables, and comparisons of databases. */

export interface EmptyService extends AsyncDisposable {
  readonly config: Config
  /** Runs one statement in the database. */
  sql<T extends object>(text: string): Promise<T[]>
}

/** A database without tables and a data directory that does not exist yet. */
export async function emptyService(env: Readonly<Record<string, string>> = {}): Promise<EmptyService> {
  const { host, port, user } = inject('postgres')
  const database = `empty_${process.pid}_${process.hrtime.bigint()}`
  const admin = { host, port, user, database: 'postgres' }
  await ask(admin, `create database ${database} template template0`)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-empty-'))
  const config = readConfig({
    DATABASE_URL: `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`,
    DATA_DIR: path.join(folder, 'data'),
    LOG_LEVEL: 'silent',
    ...env,
  })
  return {
    config,
    sql: (text) => ask({ host, port, user, database }, text),
    async [Symbol.asyncDispose]() {
      await ask(admin, `drop database ${database} with (force)`)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function ask<T extends object>(connection: pg.ClientConfig, text: string): Promise<T[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

type Ask = EmptyService['sql']

const ours = "n.nspname in ('public', 'delayed', 'shown', 'graphile_worker')"

/** The number of records of each table, and a digest of all of them. */
export async function contentOf(sql: Ask): Promise<Record<string, { rows: number; digest: string }>> {
  const tables = await sql<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'm') and ${ours} order by 1`)
  const all = tables.map(
    ({ name }) => `
    select '${name}' as name, count(*)::int as rows, coalesce(md5(string_agg(t::text, e'\\n' order by t::text)), '') as digest
    from ${name} t`,
  )
  const found = await sql<{ name: string; rows: number; digest: string }>(all.join(' union all '))
  return Object.fromEntries(found.map(({ name, rows, digest }) => [name, { rows, digest }]))
}

/** Everything that the catalogue has, but for tables of other schemas: one line for each thing. */
export async function catalogueOf(sql: Ask): Promise<string[]> {
  const of = (columns: string, from: string) => `select concat_ws(' ', ${columns}) as line from ${from} where ${ours}`
  const inSchema = (relation: string) => `join pg_namespace n on n.oid = ${relation}`
  const found = await sql<{ line: string }>(
    [
      of(
        `'column', n.nspname, c.relname, c.relkind, c.relpersistence, a.attname, format_type(a.atttypid, a.atttypmod),
          a.attnotnull, a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid)`,
        `pg_class c ${inSchema('c.relnamespace')} join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
          left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum`,
      ),
      of(
        "'index', pg_get_indexdef(i.indexrelid)",
        `pg_index i join pg_class c on c.oid = i.indexrelid ${inSchema('c.relnamespace')}`,
      ),
      of(
        "'constraint', c.conrelid::regclass, c.conname, c.convalidated, pg_get_constraintdef(c.oid)",
        `pg_constraint c ${inSchema('c.connamespace')}`,
      ),
      `${of("'trigger', t.tgenabled, pg_get_triggerdef(t.oid)", `pg_trigger t join pg_class c on c.oid = t.tgrelid ${inSchema('c.relnamespace')}`)} and not t.tgisinternal`,
      of("'function', pg_get_functiondef(p.oid)", `pg_proc p ${inSchema('p.pronamespace')}`),
      of("'view', n.nspname, v.viewname, v.definition", 'pg_views v join pg_namespace n on n.nspname = v.schemaname'),
      of(
        "'sequence', n.nspname, s.sequencename, s.data_type, s.increment_by, s.last_value",
        'pg_sequences s join pg_namespace n on n.nspname = s.schemaname',
      ),
      "select 'large object ' || oid from pg_largeobject_metadata",
    ].join(' union all '),
  )
  return found.map(({ line }) => line).sort()
}
