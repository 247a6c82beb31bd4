import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type TObject, type TSchema, Type } from 'typebox'
import { Guid, Instant, nullable } from '../../../../core/schema.ts'
import type { Db } from '../../../../infra/db/database.ts'

/**
 * A kind of rows in a package: its file `data/{kind}.ndjson`, the schema of a row, and how rows are read. Each column of
 * its tables is a member, or has the reason why it is none. (P3)
 */

/** What a member tells of people: in which way it is about one, or was written by one. (P3) */
export type Personal = 'name' | 'text' | 'link' | 'contact' | 'id' | 'place'

interface Facts {
  readonly personal?: Personal
  /** Only packages with what is private have the member. */
  readonly isPrivate?: true
  /** The form of the value, where the type of its column does not tell it. */
  readonly schema?: TSchema
  /** Where the value has GUIDs of people, as a path of SQL/JSON; `self` for a value that is one or is a list of them. */
  readonly people?: string
  /** Names of members inside the value that only packages with what is private have. */
  readonly hides?: readonly string[]
  /** Another value than that of the column. */
  readonly value?: SQL
}

type Decision = { readonly facts: Facts } | { readonly never: string } | { readonly follows: string }

/** The value of the column is a member of the same name. */
export const member = (facts: Facts = {}): Decision => ({ facts })
/** The value is in no package. */
export const never = (why: string): Decision => ({ never: why })
/** The value follows from what other members say. */
export const follows = (from: string): Decision => ({ follows: from })

export const plain = member()
export const name = member({ personal: 'name' })
export const text = member({ personal: 'text' })
export const link = member({ personal: 'link' })
export const person = member({ personal: 'id', people: 'self' })
export const staffText = member({ personal: 'text', isPrivate: true })
export const ofTournament = follows('the tournament of the package')

/** Any JSON in which people have written. */
export const anyJson = (facts: Omit<Facts, 'schema'> = {}): Decision =>
  member({ personal: 'text', ...facts, schema: Type.Unsafe<unknown>({}) })
export const json = (schema: TSchema, facts: Omit<Facts, 'schema'> = {}): Decision => member({ ...facts, schema })

export const personal = (kind: Personal, schema: TSchema = Type.String()): TSchema => ({
  ...schema,
  'x-personal': kind,
})

interface Source {
  readonly table: PgTable
  readonly columns: Readonly<Record<string, Decision>>
}

/** Columns of a table with the decision about each. */
export function columnsOf<T extends PgTable>(
  table: T,
  columns: { readonly [Name in keyof T['_']['columns']]: Decision },
): Source {
  return { table, columns: columns as Source['columns'] }
}

export interface Asked {
  /** GUID. */
  readonly tournament: string
  /** Whether private answers, notes and reasons are in it. */
  readonly isPrivate: boolean
}

export type Row = Readonly<Record<string, unknown>>

export interface Kind {
  readonly name: string
  readonly schema: TObject
  /** What is decided about each column, by `table.column`. */
  readonly decisions: Readonly<Record<string, string>>
  /** The rows, in order. */
  readonly rows: (asked: Asked) => SQL
  /** The GUIDs of the people in its rows, as queries of one column. */
  readonly people: (asked: Asked) => readonly SQL[]
  /** Makes a row whole that SQL cannot. */
  readonly complete?: (db: Db, row: Row) => Promise<Row>
  /** Names of members, at any depth, that are removed from packages without what is private. */
  readonly hidden: readonly string[]
}

interface Parts {
  readonly joins?: readonly (Source & { readonly on: SQL })[]
  /** Further tables of the query, as SQL. */
  readonly beside?: SQL
  /** Members that are no column. */
  readonly more?: Readonly<Record<string, Facts & { readonly value: SQL; readonly schema: TSchema }>>
  /** The rows of a tournament; by default, by the column `tournamentGuid`. */
  readonly of?: (tournament: string, asked: Asked) => SQL
  /** The members by which rows are ordered. */
  readonly order?: readonly string[]
  /** Rows that only packages with what is private have. */
  readonly privateRows?: SQL
  readonly complete?: Kind['complete']
}

interface Member extends Facts {
  readonly value: SQL
  readonly schema: TSchema
}

export function kind(name: string, source: Source, parts: Parts = {}): Kind {
  const { joins = [], beside = sql``, more = {}, order = ['guid'], privateRows, complete } = parts
  const sources = [source, ...joins]
  const members: Readonly<Record<string, Member>> = {
    ...Object.fromEntries(sources.flatMap(membersOf)),
    ...more,
  }
  const shown = ({ isPrivate }: Asked) => Object.entries(members).filter(([, each]) => isPrivate || !each.isPrivate)
  const of = parts.of ?? ofColumn(source.table)
  const from = (asked: Asked) => {
    const left = joins.map(({ table, on }) => sql` left join ${table} on ${on}`)
    const open = privateRows === undefined || asked.isPrivate ? sql`` : sql` and not (${privateRows})`
    return sql`from ${source.table}${sql.join(left)}${beside} where (${of(asked.tournament, asked)})${open}`
  }
  return {
    name,
    schema: schemaOf(name, members, order),
    decisions: Object.assign({}, ...sources.map((each) => decisionsOf(name, each))),
    rows: (asked) => {
      const values = shown(asked).map(([each, { value }]) => sql`${value} as ${sql.identifier(each)}`)
      const keys = order.map((each) => orderOf(members[each] as Member))
      return sql`select ${sql.join(values, sql`, `)} ${from(asked)} order by ${sql.join(keys, sql`, `)}`
    },
    people: (asked) =>
      shown(asked).flatMap(([, { people, value, schema }]) =>
        people === undefined ? [] : [sql`select ${peopleIn(value, people, schema)} as guid ${from(asked)}`],
      ),
    ...(complete && { complete }),
    hidden: Object.values(members).flatMap(({ hides }) => hides ?? []),
  }
}

function ofColumn(table: PgTable): (tournament: string) => SQL {
  const column = getTableColumns(table).tournamentGuid
  if (column === undefined) throw new TypeError(`say which rows of ${getTableName(table)} a tournament has`)
  return (tournament) => sql`${column} = ${tournament}`
}

function membersOf({ table, columns }: Source): (readonly [string, Member])[] {
  const all = getTableColumns(table) as Readonly<Record<string, PgColumn>>
  return Object.entries(columns).flatMap(([name, decision]) => {
    if (!('facts' in decision)) return []
    const column = all[name] as PgColumn
    const { facts } = decision
    const schema = withPersonal(facts.schema ?? typeOf(column), facts.personal)
    const optional = column.notNull ? schema : nullable(schema)
    return [[name, { ...facts, value: facts.value ?? sql`${column}`, schema: optional }] as const]
  })
}

function withPersonal(schema: TSchema, kind: Personal | undefined): TSchema {
  return kind === undefined ? schema : personal(kind, schema)
}

function typeOf(column: PgColumn): TSchema {
  const type = column.getSQLType()
  if (type === 'uuid') return Guid
  if (type === 'uuid[]') return Type.Array(Guid)
  if (type === 'text') return Type.String()
  if (type === 'text[]') return Type.Array(Type.String())
  if (type === 'integer' || type === 'smallint') return Type.Integer()
  if (type === 'double precision' || type === 'real') return Type.Number()
  if (type === 'boolean') return Type.Boolean()
  if (type === 'bytea') return Type.String({ pattern: '^[0-9a-f]*$', description: 'Bytes, in hex.' })
  if (type.startsWith('timestamp')) return Instant
  throw new TypeError(`${column.name} of type ${type} needs a schema`)
}

function schemaOf(name: string, members: Readonly<Record<string, Member>>, order: readonly string[]): TObject {
  const properties = Object.entries(members).map(([each, { schema, isPrivate }]) => [
    each,
    isPrivate ? Type.Optional(schema) : schema,
  ])
  return Type.Object(Object.fromEntries(properties), {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: name,
    additionalProperties: false,
    ...(order.join() !== 'guid' && { 'x-order': order }),
  })
}

function decisionsOf(kindName: string, { table, columns }: Source): Readonly<Record<string, string>> {
  const all = getTableColumns(table) as Readonly<Record<string, PgColumn>>
  const decided = Object.entries(columns).map(([name, decision]) => {
    const says =
      'facts' in decision
        ? `exported as ${kindName}.${name}`
        : 'never' in decision
          ? `never: ${decision.never}`
          : `follows from ${decision.follows}`
    return [`${getTableName(table)}.${toSnakeCase((all[name] as PgColumn).name)}`, says]
  })
  return Object.fromEntries(decided)
}

/** Texts are in the order of their bytes. */
function orderOf({ value, schema }: Member): SQL {
  const { type, format } = schema as { readonly type?: unknown; readonly format?: unknown }
  const isText = [type].flat().includes('string') && format === undefined
  return isText ? sql`${value} collate "C"` : value
}

function peopleIn(value: SQL, path: string, schema: TSchema): SQL {
  const { type } = schema as { readonly type?: unknown }
  if (path !== 'self') return sql`(jsonb_path_query(${value}, ${path}::jsonpath) #>> '{}')::uuid`
  return [type].flat().includes('array') ? sql`unnest(${value})` : value
}
