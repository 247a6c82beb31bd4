import pg from 'pg'

/** What the database of the service consists of, as its catalogue says. */

/** The service's own schemas, and that of the job library. */
const schemas = "n.nspname in ('public', 'delayed', 'shown', 'graphile_worker')"
/** Extensions make their own tables, wherever they are installed. */
const isOwn = `not exists (select from pg_depend d
  where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

interface Relation {
  readonly schema: string
  readonly name: string
}

export interface Table extends Relation {
  /** Without generated ones, which the database computes again. */
  readonly columns: readonly string[]
}

export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select n.nspname as schema, c.relname as name, coalesce(array_agg(a.attname::text order by a.attnum)
      filter (where a.attnum > 0 and not a.attisdropped and a.attgenerated = ''), '{}') as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and ${schemas} and ${isOwn} group by 1, 2 order by 1, 2`)
  return rows
}

export interface Sequence extends Relation {
  /** A 64-bit number. */
  readonly last: string
  readonly isCalled: boolean
}

/** Sequences are in no snapshot: read them after the rows that have their numbers. */
export async function listSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<Relation>(`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and ${schemas} and ${isOwn} order by 1, 2`)
  const sequences: Sequence[] = []
  for (const row of rows) {
    const { rows: states } = await client.query<Sequence>(
      `select last_value::text as last, is_called as "isCalled" from ${nameOf(row)}`,
    )
    for (const { last, isCalled } of states) sequences.push({ ...row, last, isCalled })
  }
  return sequences
}

export interface ForeignKey {
  /** The table with its schema, quoted. */
  readonly table: string
  readonly name: string
  readonly definition: string
}

export async function listForeignKeys(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    select format('%I.%I', n.nspname, c.relname) as table, quote_ident(k.conname) as name,
      pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where k.contype = 'f' and ${schemas}`)
  return rows
}

/** Quoted, with its schema. */
export function nameOf({ schema, name }: Relation): string {
  return `${quoted(schema)}.${quoted(name)}`
}

export function columnsOf({ columns }: Pick<Table, 'columns'>): string {
  return columns.map(quoted).join(', ')
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export type Client = pg.Client

/** @param name how the server lists the connection */
export async function openClient(connection: pg.ClientConfig, name: string): Promise<Client> {
  const client = new pg.Client({ ...connection, application_name: name, keepAlive: true })
  client.on('error', () => {}) // The pending query reports it.
  await client.connect()
  return client
}

/** No limit of the server ends the connection while a backup is read or written, and values have one form as text. */
export async function prepareConnection(client: pg.ClientBase): Promise<void> {
  await client.query(`select set_config(name, '0', false) from pg_settings where name in
    ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`)
  await client.query(`set client_encoding to 'UTF8'; set datestyle to 'ISO, YMD'; set intervalstyle to 'postgres';
    set timezone to 'UTC'; set extra_float_digits to 3; set bytea_output to 'hex'; set xmloption to 'content';
    set client_min_messages to 'warning'`)
}
