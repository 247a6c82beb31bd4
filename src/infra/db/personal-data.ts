import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types'
import { type Db, statement, type Tx } from './database.ts'

/**
 * The personal data in one part of the service: what the export of a user shows, and what the deletion of an account
 * deletes. Each part declares its own beside its tables. (additions: Users; D35)
 */
export interface PersonalData<U = Owner> {
  /** Readers by their name in the export. Each returns the newest `limit` records, without secrets and names of others. */
  readonly sections: Readonly<Record<string, Section>>
  /**
   * Locks the records of others that `forget` changes and that come before accounts in the order of locks. It runs after
   * tournaments are locked and before the account is.
   */
  readonly lock?: Lock<U> | undefined
  /**
   * Deletes what belongs to the user alone, and removes the user from records that others still use. The user's record is
   * locked and not changed yet.
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
  /** They run in this order. */
  readonly forget?: readonly Forget<U>[]
}

/** Makes a section from its name, which is also the name of its statement. A reading function is declared as `() => list`. */
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
  /** The members of a record, in this order: columns of the table by name, and others under the given names. */
  readonly shows: Shown
  readonly join?: readonly [table: PgTable, on: SQL | undefined]
  /** A condition on the user's rows. */
  readonly where?: SQL
  /** Columns of the table by name, in descending order; expressions as they are. */
  readonly order?: readonly (Own<T> | SQL)[]
  /** Turns a row into a record of the export. */
  readonly map?: (row: Row<T, Shown[number]>) => object
}

/** A table with these columns needs no `order`: its newest rows come first. */
type Ordered<T extends PgTable> =
  'createdAt' | 'guid' extends Own<T> ? unknown : { readonly order: readonly (Own<T> | SQL)[] }

/** Reads the rows that name the user in the column `by`, by a statement that is prepared once. */
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

/** Columns of a table by name, such as a joined one. */
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

/** Sets the column to null where it names the user. */
export function clear<T extends PgTable>(table: T, by: Own<T>): Forget<Owner> {
  return changeRows(table, by, { [by]: null } as PgUpdateSetSource<T>)
}

function columnOf<T extends PgTable>(table: T, name: Own<T>): PgColumn {
  return getTableColumns(table)[name] as PgColumn
}
