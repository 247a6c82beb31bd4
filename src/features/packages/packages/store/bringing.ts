import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { users } from '../../../people/users/tables.ts'
import { type Here, hasGuid, type Kind, ofTournament, type Row } from './kind.ts'

/** Writes rows of packages into their tables, as the decisions about the columns say. (P6) */

/** Names of rows of another kind. */
export interface Reference {
  readonly member: string
  readonly kind: string
  readonly isRequired: boolean
}

/** The members that lead to rows of other kinds, by the foreign keys of the table. */
export function referencesOf(kind: Kind, all: readonly Kind[]): readonly Reference[] {
  const withGuids = all.filter(hasGuid)
  const kindOf = new Map<PgTable, string>(withGuids.map(({ name, source }) => [source.table, name]))
  kindOf.set(users, 'people')
  const named = new Map(getTableConfig(kind.source.table).foreignKeys.flatMap((key) => referenceIn(key.reference())))
  const others = Object.entries(kind.brings.names ?? {}).map(([member, other]) => ({
    member,
    kind: other,
    isRequired: true,
  }))
  const byKey = columnsIn(kind).flatMap(({ name, column, isMember }) => {
    const target = kindOf.get(named.get(column) as PgTable)
    return isMember && target !== undefined ? [{ member: name, kind: target, isRequired: column.notNull }] : []
  })
  return [...others, ...byKey]
}

function referenceIn({
  columns,
  foreignTable,
}: {
  readonly columns: readonly PgColumn[]
  readonly foreignTable: PgTable
}): (readonly [PgColumn, PgTable])[] {
  const [column] = columns
  return column === undefined ? [] : [[column, foreignTable]]
}

interface Column {
  readonly name: string
  readonly column: PgColumn
  readonly isMember: boolean
  readonly isOfTournament: boolean
}

function columnsIn({ source }: Kind): readonly Column[] {
  const all = getTableColumns(source.table) as Readonly<Record<string, PgColumn>>
  return Object.entries(source.columns).map(([name, decision]) => {
    const facts = { isMember: 'facts' in decision, isOfTournament: decision === ofTournament }
    return { name, column: all[name] as PgColumn, ...facts }
  })
}

/**
 * Inserts rows that were checked. Columns that neither the row nor its kind names get their defaults.
 * @throws DatabaseError where a constraint forbids a row
 */
export async function insertRows(tx: Tx, kind: Kind, rows: readonly Row[], here: Here): Promise<void> {
  const columns = columnsIn(kind)
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    if (kind.brings.without?.(row)) continue
    const written = columnsOfRow(kind, columns, row, here)
    const key = Object.keys(written).join()
    groups.set(key, [...(groups.get(key) ?? []), written])
  }
  for (const group of groups.values()) await insertAlike(tx, kind, columns, group)
}

function columnsOfRow({ brings }: Kind, columns: readonly Column[], row: Row, here: Here): Row {
  const own = brings.columns?.(row, here) ?? {}
  const values = columns.flatMap(({ name, isMember, isOfTournament }): [string, unknown][] => {
    if (brings.late?.includes(name)) return []
    if (Object.hasOwn(own, name)) return [[name, own[name]]]
    if (isOfTournament) return [[name, here.tournament]]
    return isMember && Object.hasOwn(row, name) ? [[name, row[name]]] : []
  })
  return Object.fromEntries(values)
}

/** Rows with the same columns, by one statement. */
async function insertAlike(tx: Tx, kind: Kind, columns: readonly Column[], rows: readonly Row[]): Promise<void> {
  const [first = {}] = rows
  const named = columns.filter(({ name }) => Object.hasOwn(first, name))
  await tx.session.orm.execute(sql`
    insert into ${kind.source.table} (${list(named.map(({ column }) => sql.identifier(inDatabase(column))))})
    select ${list(named.map(readFrom))} from ${recordset(named, rows)}`)
}

/** Writes the columns that waited for other rows of the same kind, which has `guid`. */
export async function updateLate(tx: Tx, kind: Kind, rows: readonly Row[]): Promise<void> {
  const late = columnsIn(kind).filter(({ name }) => name === 'guid' || kind.brings.late?.includes(name))
  const set = late.filter(({ name }) => name !== 'guid')
  await tx.session.orm.execute(sql`
    update ${kind.source.table} t
    set ${list(set.map((each) => sql`${sql.identifier(inDatabase(each.column))} = ${readFrom(each)}`))}
    from ${recordset(late, rows)} where t.guid = r."guid"`)
}

/** Which of the GUIDs a table has already. */
export async function listTaken(db: Db, kind: Kind, guids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await db.session.orm.execute<{ guid: string }>(
    sql`select guid from ${kind.source.table} where guid = any(${sql.param([...guids])}::uuid[])`,
  )
  return rows.map(({ guid }) => guid)
}

function recordset(columns: readonly Column[], rows: readonly Row[]): SQL {
  const types = columns.map(({ name, column }) => sql`${sql.identifier(name)} ${sql.raw(readAs(column))}`)
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as r (${list(types)})`
}

/** What is JSON as text keeps the order of its members. */
function readAs(column: PgColumn): string {
  const type = column.getSQLType()
  return type === 'json' ? 'text' : type
}

function readFrom({ name, column }: Column): SQL {
  const value = sql`r.${sql.identifier(name)}`
  return column.getSQLType() === 'json' ? sql`${value}::json` : value
}

const list = (parts: readonly (SQL | ReturnType<typeof sql.identifier>)[]): SQL =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  )

const inDatabase = (column: PgColumn): string => toSnakeCase(column.name)
