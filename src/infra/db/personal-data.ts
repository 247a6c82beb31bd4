import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types'
import { type Db, statement, type Tx } from './database.ts'

/**
 * What each part of the service keeps about users. Each declares its own beside its tables, for the two who ask: the user
 * who wants to see it, and the user who wants it gone. (additions: Users; D35)
 */
export interface PersonalData<U = Owner> {
  /** By the names that the export gives them: the newest `limit` records, without secrets and names of others. */
  readonly sections: Readonly<Record<string, Section>>
  /**
   * Locks of others' records what `forget` changes and what stands before accounts in the order of locks: behind tournaments,
   * before the account is locked.
   */
  readonly lock?: Lock<U> | undefined
  /**
   * Deletes what is the user's alone, and takes them out of what others go on with. Their record, which is locked, still
   * tells who they were.
   */
  readonly forget: Forget<U>
}

interface Owner {
  readonly guid: string
}

export type Section = (db: Db, userGuid: string, limit: number) => Promise<readonly object[]>
type Lock<U> = (tx: Tx, user: U) => Promise<void>
type Forget<U> = (tx: Tx, user: U, now: Date) => Promise<void>

interface Declared<U, Name extends string> {
  readonly sections?: Readonly<Record<Name, NamedSection>>
  readonly lock?: Lock<U>
  /** In the order in which they are carried out. */
  readonly forget?: readonly Forget<U>[]
}

/** Makes a section from its name, which names its statement too. A function that reads is declared as `() => list`. */
type NamedSection = (name: string) => Section

export function declarePersonalData<U = Owner, Name extends string = never>(declared: Declared<U, Name>) {
  const sections = Object.entries<NamedSection>(declared.sections ?? {}).map(([name, section]) => [name, section(name)])
  return {
    sections: Object.fromEntries(sections) as Readonly<Record<Name, Section>>,
    lock: declared.lock,
    async forget(tx: Tx, user: U, now: Date): Promise<void> {
      for (const forget of declared.forget ?? []) await forget(tx, user, now)
    },
  }
}

type Own<T extends PgTable> = keyof T['_']['columns'] & string
type Fields = Readonly<Record<string, PgColumn | SQL>>
type Row<T extends PgTable, Shown> = Pick<T['$inferSelect'], Extract<Shown, keyof T['$inferSelect']>> &
  ([Exclude<Shown, string>] extends [never] ? unknown : SelectResultFields<Exclude<Shown, string>>)

interface Rows<T extends PgTable, Shown extends readonly (Own<T> | Fields)[]> {
  /** What a record holds, in this order: columns of the table by their names; anything else under the names that it is given. */
  readonly shows: Shown
  readonly join?: readonly [table: PgTable, on: SQL | undefined]
  /** Which rows of the user, where it is not all. */
  readonly where?: SQL
  /** Columns of the table by their names, each with its latest or highest value first; anything else as it stands. */
  readonly order?: readonly (Own<T> | SQL)[]
  /** From a row as it is read to a record of the export. */
  readonly map?: (row: Row<T, Shown[number]>) => object
}

/** Without `order`, a table has its newest rows first by these. */
type Ordered<T extends PgTable> =
  'createdAt' | 'guid' extends Own<T> ? unknown : { readonly order: readonly (Own<T> | SQL)[] }

/** The rows of a table that name the user in the column `by`, read by a statement that is prepared once. */
export function rowsOf<T extends PgTable, const Shown extends readonly (Own<T> | Fields)[]>(
  table: T,
  by: Own<T>,
  { shows, join, where, order = ['createdAt', 'guid'] as Own<T>[], map }: Rows<T, Shown> & Ordered<T>,
): NamedSection {
  const fields: Fields = Object.assign(
    {},
    ...shows.map((each) => (typeof each === 'string' ? pick(table, each) : each)),
  )
  return (name) => {
    const read = statement(`personal_data.${name}`, (orm) => {
      const all = orm
        .select(fields as Record<string, PgColumn>)
        .from(table as PgTable)
        .$dynamic()
      return (join === undefined ? all : all.innerJoin(...join))
        .where(and(eq(columnOf(table, by), sql.placeholder('user')), where))
        .orderBy(...order.map((each) => (typeof each === 'string' ? desc(columnOf(table, each)) : each)))
        .limit(sql.placeholder('limit'))
    })
    return async (db, user, limit) => {
      const rows = await read(db, { user, limit })
      return map === undefined ? rows : rows.map((row) => map(row as Row<T, Shown[number]>))
    }
  }
}

/** Columns of another table than that of the rows. */
export function pick<T extends PgTable>(table: T, ...names: Own<T>[]): Readonly<Record<string, PgColumn>> {
  return Object.fromEntries(names.map((name) => [name, columnOf(table, name)]))
}

/** Deletes the rows of a table that name the user. */
export function deleteRows<T extends PgTable>(table: T, by: Own<T>): Forget<Owner> {
  return async (tx, { guid }) => {
    await tx.session.orm.delete(table).where(eq(columnOf(table, by), guid))
  }
}

/** Changes the rows of a table that name the user. */
export function changeRows<T extends PgTable>(table: T, by: Own<T>, values: PgUpdateSetSource<T>): Forget<Owner> {
  return async (tx, { guid }) => {
    await tx.session.orm
      .update(table)
      .set(values)
      .where(eq(columnOf(table, by), guid))
  }
}

/** Rows that named the user name nobody. */
export function clear<T extends PgTable>(table: T, by: Own<T>): Forget<Owner> {
  return changeRows(table, by, { [by]: null } as PgUpdateSetSource<T>)
}

function columnOf<T extends PgTable>(table: T, name: Own<T>): PgColumn {
  return getTableColumns(table)[name] as PgColumn
}
