import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type TObject, type TSchema, Type } from 'typebox'
import { lazily } from '../../../../core/lazily.ts'
import {
  type Form,
  type Impersonal,
  impersonal,
  isGone,
  type Personal,
  personal,
  withoutGone,
} from '../../../../core/packages/marks.ts'
import { nullable } from '../../../../core/schema.ts'
import { maxAddressLength } from '../../../../core/web.ts'
import type { Db } from '../../../../infra/db/database.ts'
import type { Variant } from '../types.ts'
import { Address, ShortId } from './bounds.ts'
import type { Bringing, Row } from './brings.ts'
import { orderOf, peopleIn, typeOf } from './values.ts'

/**
 * A kind of rows in a package: its file `data/{kind}.ndjson`, the schema of a row, and how rows are read. Each column of
 * its tables is a member, or has the reason why it is none. (P3)
 */

export { personal } from '../../../../core/packages/marks.ts'
export type { Here, Row } from './brings.ts'

interface Facts {
  readonly personal?: Personal
  readonly impersonal?: Impersonal
  /** How it is replaced in packages without names. */
  readonly form?: Form
  /** Only packages with what is private have the member. */
  readonly isPrivate?: true
  /** The value of these rows is null in packages without what is private. */
  readonly privateWhere?: SQL
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

/** A value without texts. */
export const plain = member()
/** Where the catalogue has pictures and sounds of a published map. */
export const address = member({ impersonal: 'address', schema: Type.String({ maxLength: maxAddressLength }) })
/** A digest, or what was drawn. */
export const drawn = member({ impersonal: 'digest', schema: Type.String({ maxLength: 128 }) })
export const link = member({ schema: Address })
export const shortId = member({ personal: 'name', form: 'short-id', schema: ShortId })
export const person = member({ personal: 'id', people: 'self' })
export const ofTournament = follows('the tournament of the package')

/** Bytes as the database reads them. */
export const hexOf = (bytes: Uint8Array | string): string =>
  `\\x${typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('hex')}`

/** Any JSON in which people have written. */
export const anyJson = (facts: Omit<Facts, 'schema'> = {}): Decision =>
  member({ personal: 'text', ...facts, schema: Type.Unsafe<unknown>({}) })
/** A value of a form that the type of its column does not tell. */
export const typed = (schema: TSchema, facts: Omit<Facts, 'schema'> = {}): Decision => member({ ...facts, schema })
/** What only the staff read: in all rows, or in those that the condition names. */
export const forStaff = (schema: TSchema, where?: SQL) =>
  typed(schema, where ? { privateWhere: where } : { isPrivate: true })

export interface Source {
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
  readonly variant: Variant
  /** Whether private answers, notes and reasons are in it. */
  readonly isPrivate: boolean
  readonly now: Date
  /** The GUIDs of the media that rows of the package have shown so far. */
  readonly shownMedia: ReadonlySet<string>
  /** What the order of rows without names is drawn by; null in other variants. */
  readonly key: Buffer | null
}

export interface Kind {
  readonly name: string
  /** The table of its rows, with what is decided about the columns. */
  readonly source: Source
  readonly brings: Bringing
  /** The schema of its rows; null where the variant has none. */
  readonly schema: (variant: Variant) => TObject | null
  /** What is decided about each column, by `table.column`. */
  readonly decisions: Readonly<Record<string, string>>
  /** The rows, in order. */
  readonly rows: (asked: Asked) => SQL
  /** The GUIDs of the people in its rows, as queries of one column. */
  readonly people: (asked: Asked) => readonly SQL[]
  /** Makes a row whole that SQL cannot, or leaves it out. */
  readonly complete: (db: Db, row: Row, asked: Asked) => Completed | Promise<Completed>
  /** Names of members, at any depth, that are removed from packages without what is private. */
  readonly hidden: readonly string[]
}

/** A row, or none. */
export type Completed = Row | readonly []

/** What everybody may read of the rows of a kind, without signing in. (P4) */
export interface Open {
  readonly members: readonly string[]
  /** The rows; by default, all. */
  readonly rows?: (asked: Asked) => SQL
  /** Members with another value or form than in a full package. */
  readonly values?: Readonly<Record<string, { readonly value?: SQL; readonly schema?: TSchema }>>
  readonly order?: readonly string[]
  /** Leaves out of a row what SQL cannot. */
  readonly seen?: (row: Row, db: Db) => Completed | Promise<Completed>
}

/** Whether its rows have GUIDs, by which rows of other kinds name them. */
export const hasGuid = ({ schema }: Kind): boolean => Object.hasOwn(schema('full')?.properties ?? {}, 'guid')

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
  readonly complete?: (db: Db, row: Row) => Promise<Completed>
  /** Without it, rows are for signed-in users with roles alone. */
  readonly open?: Open
  /** Which rows packages without names have; by default, all. (P5) */
  readonly nameless?: SQL | 'none'
  readonly brings?: Bringing
}

interface Member extends Facts {
  readonly value: SQL
  readonly schema: TSchema
}

export function kind(name: string, source: Source, parts: Parts = {}): Kind {
  const { joins = [], beside = sql``, more = {}, order = ['guid'], privateRows, complete, open, nameless } = parts
  const sources = [source, ...joins]
  const members: Members = { ...Object.fromEntries(sources.flatMap(membersOf)), ...more }
  const layouts: Readonly<Record<Variant, Layout | null>> = {
    full: { members, order },
    public: open ? { members: openMembers(members, open), order: open.order ?? order } : null,
    anonymised: nameless === 'none' ? null : { members: namelessMembers(members), order },
  }
  const schemas = {
    full: lazily(() => schemaOf(name, { members, order })),
    public: lazily(() => layouts.public && schemaOf(name, layouts.public)),
    anonymised: lazily(() => layouts.anonymised && withoutGone(schemaOf(name, layouts.anonymised))),
  }
  const shown = ({ variant, isPrivate }: Asked) =>
    Object.entries(layouts[variant]?.members ?? {}).flatMap(([each, found]) =>
      isPrivate || !found.isPrivate ? [[each, isPrivate ? found : asShown(found)] as const] : [],
    )
  const of = parts.of ?? ofColumn(source.table)
  const rowsOf = (asked: Asked) => {
    const conditions = [sql`(${of(asked.tournament, asked)})`]
    if (asked.variant === 'public' && open?.rows) conditions.push(sql`(${open.rows(asked)})`)
    if (asked.variant === 'anonymised' && typeof nameless === 'object') conditions.push(sql`(${nameless})`)
    if (privateRows && !asked.isPrivate) conditions.push(sql`not (${privateRows})`)
    return sql.join(conditions, sql` and `)
  }
  const from = (asked: Asked) => {
    const left = joins.map(({ table, on }) => sql` left join ${table} on ${on}`)
    return sql`from ${source.table}${sql.join(left)}${beside} where ${rowsOf(asked)}`
  }
  return {
    ...{ name, source, brings: parts.brings ?? {} },
    schema: (variant) => schemas[variant](),
    decisions: Object.assign({}, ...sources.map((each) => decisionsOf(name, each))),
    rows: (asked) => {
      const values = shown(asked).map(([each, { value }]) => sql`${value} as ${sql.identifier(each)}`)
      const keys = (layouts[asked.variant]?.order ?? order).map((each) =>
        orderOf((layouts[asked.variant]?.members ?? members)[each] as Member, asked),
      )
      return sql`select ${sql.join(values, sql`, `)} ${from(asked)} order by ${sql.join(keys, sql`, `)}`
    },
    people: (asked) =>
      shown(asked).flatMap(([, { people, value, schema }]) =>
        people === undefined ? [] : [sql`select ${peopleIn(value, people, schema)} as guid ${from(asked)}`],
      ),
    complete: (db, row, { variant }) => {
      if (variant === 'full') return complete ? complete(db, row) : row
      return variant === 'public' && open?.seen ? open.seen(row, db) : row
    },
    hidden: Object.values(members).flatMap(({ hides }) => hides ?? []),
  }
}

const asShown = ({ privateWhere: where, ...shown }: Member): Member =>
  where === undefined ? shown : { ...shown, value: sql`case when not (${where}) then ${shown.value} end` }

type Members = Readonly<Record<string, Member>>

/** The members of a variant, and those by which its rows are ordered. */
interface Layout {
  readonly members: Members
  readonly order: readonly string[]
}

function openMembers(members: Members, { members: names, values = {} }: Open): Members {
  return Object.fromEntries(
    names.map((each) => {
      const { isPrivate: _, ...full } = { ...members[each], ...values[each] } as Member
      if (full.value === undefined || full.schema === undefined) throw new TypeError(`there is no member ${each}`)
      return [each, full]
    }),
  )
}

function namelessMembers(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).filter(([, { isPrivate, schema }]) => !isPrivate && !isGone(schema)),
  )
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
    const schema = marked(facts.schema ?? typeOf(column), facts)
    const optional = column.notNull ? schema : nullable(schema)
    return [[name, { ...facts, value: facts.value ?? sql`${column}`, schema: optional }] as const]
  })
}

function marked(schema: TSchema, { personal: about, impersonal: kind, form }: Facts): TSchema {
  if (about !== undefined) return personal(about, schema, form)
  return kind === undefined ? schema : impersonal(kind, schema)
}

function schemaOf(name: string, { members, order }: Layout): TObject {
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
