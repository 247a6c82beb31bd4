import { type SQL, sql } from 'drizzle-orm'
import type { Position } from '../../../../core/page.ts'
import type { Db } from '../../../../infra/db/database.ts'
import type { FoundPage } from '../types.ts'

/** Reads the archive's lists in their sort orders, starting at a position. */

/** Maximum number of records that are checked for one page. */
const maxWalk = 1_000

/** The tables of records and of their terms. Both contain the values that lists are sorted by. */
export interface Searched {
  readonly rows: SQL
  readonly terms: SQL
  readonly key: SQL
}

/** Sorts by a value of a row named `u`; equal values are sorted by GUID. */
export interface Order {
  readonly value: SQL
  readonly type: 'timestamptz' | 'integer' | 'text' | 'float8'
  readonly isDescending: boolean
}

/** A record with its position, as the database returns it. */
export interface Row {
  readonly guid: string
  readonly value: string
  readonly [column: string]: unknown
}

/**
 * Returns the records with the given keys that meet the condition, in order. `offset 0` forces look-ups by key.
 * Otherwise the planner would scan the list's own index until it has met all keys.
 */
export async function among(
  db: Db,
  searched: Searched,
  order: Order,
  keys: SQL,
  condition: SQL,
  limit: number,
): Promise<Row[]> {
  const { rows } = await db.session.orm.execute<Row>(sql`
    select ${positionOf(order, searched)}
    from (select u.* from ${searched.rows} u where u.${searched.key} = any(array(${keys})) offset 0) u
    where ${condition}
    order by ${inOrder(order, searched)} limit ${limit + 1}::integer`)
  return rows
}

/**
 * Returns the records that meet the conditions, among the next records of the list, and `end`: the last record that was
 * checked if the list continues after it, otherwise null.
 * @param terms each record has at least one of them; null for all records
 */
export async function walk(
  db: Db,
  searched: Searched,
  order: Order,
  terms: readonly string[] | null,
  conditions: readonly SQL[],
  after: Position | undefined,
  limit: number,
): Promise<{ readonly rows: Row[]; readonly end: Row | null }> {
  if (terms?.length === 0) return { rows: [], end: null }
  const isNext = isBehind(order, searched, after)
  const steps =
    terms === null
      ? sql`from ${searched.rows} u where ${isNext}`
      : sql`from ${searched.terms} u where u.term = walked.term and ${isNext}`
  const sorted = sql`order by ${inOrder(order, searched)}`
  // A single statement, so that the rows and the end of the walk come from the same state of the list. Each term's list
  // is in order; the outer query merges them.
  const fitting = sql`
    (select ${positionOf(order, searched)}, ${order.value} as "sortValue", false as "isEnd"
      from (select u.* ${steps} ${sorted} limit ${sql.raw(String(maxWalk))}) u where ${all(conditions)} limit ${limit + 1}::integer)`
  const last = sql`
    (select ${positionOf(order, searched)}, ${order.value}, true ${steps} ${sorted} offset ${sql.raw(String(maxWalk - 1))} limit 1)`
  // Without conditions, a list that does not fill the page has ended.
  const ofEach = conditions.length === 0 ? fitting : sql`${fitting} union all ${last}`
  const direction = sql.raw(order.isDescending ? 'desc' : 'asc')
  const { rows } = await db.session.orm.execute<Row & { readonly isEnd: boolean }>(sql`
    select guid, value, "isEnd"
    from ${terms === null ? sql`(${ofEach}) each` : sql`unnest(${sql.param([...terms])}::text[]) as walked (term) cross join lateral (${ofEach}) each`}
    order by "sortValue" ${direction}, guid ${direction}`)
  const first = rows.findIndex(({ isEnd }) => isEnd)
  const end = rows[first] ?? null
  // Rows after the first end belong to the next page, even if other terms' lists have them. The end itself may be a
  // match.
  const reached = end === null ? rows : rows.filter((row, place) => place < first || row.guid === end.guid)
  const found = new Map(reached.filter(({ isEnd }) => !isEnd).map((row) => [row.guid, row]))
  return { rows: [...found.values()], end }
}

/** @param end the last record that was checked if the search stopped before the page was full; otherwise null */
export function page(rows: readonly Row[], limit: number, end: Row | null): FoundPage {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : end
  return { guids: shown.map(({ guid }) => guid), next: last == null ? null : [last.value, last.guid] }
}

function positionOf({ value, type }: Order, { key }: Searched): SQL {
  return sql`u.${key} as guid, ${valueText(value, type)} as value`
}

export function all(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `)
}

/** Numbers are sent as texts, so that they come back to the database unchanged. */
export function valueText(value: SQL, type: Order['type']): SQL {
  if (type !== 'timestamptz') return sql`(${value})::text`
  return sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

export function inOrder({ value, isDescending }: Order, { key }: Searched): SQL {
  return isDescending ? sql`${value} desc, u.${key} desc` : sql`${value}, u.${key}`
}

export function isBehind({ value, type, isDescending }: Order, { key }: Searched, after: Position | undefined): SQL {
  if (after === undefined) return sql`true`
  const [at, guid] = after
  const than = isDescending ? sql`<` : sql`>`
  return sql`(${value}, u.${key}) ${than} (${at}::${sql.raw(type)}, ${guid}::uuid)`
}
