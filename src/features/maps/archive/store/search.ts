import { type SQL, sql } from 'drizzle-orm'
import type { Position } from '../../../../core/page.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { poolMaps, pools } from '../../pools/tables.ts'
import { listedPools, mapTerms, mapUsage, poolTerms } from '../tables.ts'
import type { FoundPage, MapSort, PoolSort, Question, Range, Ranking } from '../types.ts'

/**
 * One page of what fits a question, by work that does not grow with the archive: where few records have one of the things
 * that are asked for, these are looked at; otherwise the list is walked in its order until the page is full, or until so
 * many records were looked at that the next page has to go on. (pools: Archive)
 */

/** Records that have one of the things asked for are few up to this number. */
const few = 1_000
/** Records that are looked at for one page. */
const longestWalk = 2_000
/** Maps that were published anew while somebody reads the list by use. */
const mostChanged = 5_000

interface Searched {
  readonly rows: SQL
  readonly terms: SQL
  readonly key: SQL
}

/** The order of a list: by a value, and by GUID among equals. */
interface Order {
  readonly value: SQL
  readonly type: 'timestamptz' | 'integer' | 'text' | 'float8'
  readonly isDescending: boolean
}

const ofMaps: Searched = { rows: sql`${mapUsage}`, terms: sql`${mapTerms}`, key: sql.raw('map_guid') }
const ofPools: Searched = { rows: sql`${listedPools}`, terms: sql`${poolTerms}`, key: sql.raw('pool_guid') }

const columnsOf = {
  starsA: sql.raw('u.stars_a'),
  starsB: sql.raw('u.stars_b'),
  nps: sql.raw('u.nps'),
  durationSeconds: sql.raw('u.duration_seconds'),
  publishedAt: sql.raw('u.published_at'),
} as const

const newestMaps: Order = { value: sql.raw('u.first_published_at'), type: 'timestamptz', isDescending: true }
const usedMaps: Order = { value: sql.raw('u.pools'), type: 'integer', isDescending: true }
const named: Order = { value: sql.raw('u.name_key'), type: 'text', isDescending: false }
const newestPools: Order = { value: sql.raw('u.published_at'), type: 'timestamptz', isDescending: true }

function mapOrder(sort: Exclude<MapSort, 'used'>, ranking: Ranking): Order {
  if (sort === 'newest') return newestMaps
  if (sort === 'name') return named
  return { value: ranking === 'b' ? columnsOf.starsB : columnsOf.starsA, type: 'float8', isDescending: true }
}

interface Asked {
  readonly question: Question
  readonly limit: number
  /** Of the record before the page. */
  readonly after: Position | undefined
}

export async function searchMaps(
  db: Db,
  { sort, ranking, ...asked }: Asked & { readonly sort: MapSort; readonly ranking: Ranking },
): Promise<FoundPage> {
  return sort === 'used' ? searchMostUsed(db, asked) : search(db, ofMaps, mapOrder(sort, ranking), asked)
}

export async function searchPools(db: Db, { sort, ...asked }: Asked & { readonly sort: PoolSort }): Promise<FoundPage> {
  return search(db, ofPools, sort === 'name' ? named : newestPools, asked)
}

/** A record at its position, as rows come from the database. */
interface Row {
  readonly guid: string
  readonly value: string
  readonly [column: string]: unknown
}

async function search(db: Db, searched: Searched, order: Order, { question, limit, after }: Asked): Promise<FoundPage> {
  const selection = await fewest(db, searched, question)
  const fits = all(conditions(searched, question))
  if (selection !== null) {
    const rows = await among(
      db,
      searched,
      order,
      selection,
      sql`${fits} and ${isBehind(order, searched, after)}`,
      limit,
    )
    return page(rows, limit, null)
  }
  const { rows, end } = await walk(db, searched, order, fits, after, limit)
  return page(rows, limit, end)
}

/**
 * The order by numbers of pools changes with each publication. Pages go on in the order that there was at the first one:
 * what was published since then is not counted where it would move a map. The position says which publication was the last.
 */
async function searchMostUsed(db: Db, { question, limit, after }: Asked): Promise<FoundPage> {
  const [until, ...position] = after ?? [await lastPublication(db)]
  const start = after === undefined ? undefined : position
  const asked = sql`${until}::timestamptz`
  const asThen: Order = {
    ...usedMaps,
    value: sql`case when u.last_used_at <= ${asked} then u.pools else (
      select count(*)::integer from listed_pool_maps l where l.map_guid = u.map_guid and l.used_at <= ${asked}) end`,
  }
  const fits = all(conditions(ofMaps, question))
  const existed = sql`${fits} and u.first_published_at <= ${asked}`
  const withTime = (found: FoundPage): FoundPage => ({
    ...found,
    next: found.next === null ? null : [until as string, ...found.next],
  })
  const selection = await fewest(db, ofMaps, question)
  if (selection !== null) {
    const rows = await among(
      db,
      ofMaps,
      asThen,
      selection,
      sql`${existed} and ${isBehind(asThen, ofMaps, start)}`,
      limit,
    )
    return withTime(page(rows, limit, null))
  }
  const { rows: unmoved, end } = await walk(
    db,
    ofMaps,
    usedMaps,
    sql`${fits} and u.last_used_at <= ${asked}`,
    start,
    limit,
  )
  // After the walk: what is published meanwhile is found twice rather than not at all.
  const changed = sql`select map_guid from ${mapUsage} where last_used_at > ${asked} order by last_used_at limit ${mostOf(mostChanged)}`
  const moved = await among(db, ofMaps, asThen, changed, sql`${existed} and ${isBehind(asThen, ofMaps, start)}`, limit)
  const found = new Map([...unmoved, ...moved].map((row) => [row.guid, row]))
  const inOrder = [...found.values()].filter((row) => end === null || byUse(row, end) <= 0).toSorted(byUse)
  return withTime(page(inOrder, limit, end))
}

function byUse(a: Row, b: Row): number {
  return Number(b.value) - Number(a.value) || (a.guid < b.guid ? 1 : -1)
}

async function lastPublication(db: Db): Promise<string> {
  const { rows } = await db.session.orm.execute<{ at: string | null }>(
    sql`select ${asText(sql`max(last_used_at)`, 'timestamptz')} as at from ${mapUsage}`,
  )
  return rows[0]?.at ?? '0001-01-01T00:00:00.000Z'
}

/** Which of the things asked for few records have: a query for their keys. null where many have each of them. */
async function fewest(db: Db, searched: Searched, question: Question): Promise<SQL | null> {
  const selections = [
    ...question.terms.map((term) => keysWith(searched, sql`term = ${term}`)),
    ...(question.beginning === null ? [] : [keysWith(searched, beginsWith(question.beginning))]),
    ...question.ranges.map(
      (range) =>
        sql`select u.${searched.key} from ${searched.rows} u where ${isWithin(range)} order by ${columnsOf[range.of]} limit ${mostOf(few)}`,
    ),
  ]
  if (selections.length === 0) return null
  const counts = selections.map(
    (selection, index) => sql`select ${index}::integer as place, count(*)::integer as count from (${selection}) s`,
  )
  const { rows } = await db.session.orm.execute<{ place: number; count: number }>(sql.join(counts, sql` union all `))
  const best = rows.toSorted((a, b) => a.count - b.count)[0]
  return best === undefined || best.count > few ? null : (selections[best.place] ?? null)
}

function keysWith({ terms, key }: Searched, condition: SQL): SQL {
  return sql`select ${key} from ${terms} where ${condition} order by term limit ${mostOf(few)}`
}

/** One more than a number, as a constant: with a parameter the planner would plan for a tenth of the table. */
function mostOf(count: number): SQL {
  return sql.raw(String(count + 1))
}

function beginsWith(beginning: string): SQL {
  return sql`term >= ${beginning} and term < ${`${beginning}\u{10FFFF}`}`
}

/** Those of a few records that fit, in order. */
async function among(
  db: Db,
  searched: Searched,
  order: Order,
  selection: SQL,
  condition: SQL,
  limit: number,
): Promise<Row[]> {
  const { rows } = await db.session.orm.execute<Row>(sql`
    select ${positionOf(order, searched)} from ${searched.rows} u
    where u.${searched.key} = any(array(${selection})) and ${condition}
    order by ${inOrder(order, searched)} limit ${limit + 1}::integer`)
  return rows
}

/** Those that fit among the next records of the list, and the last one that was looked at if there may be others behind it. */
async function walk(
  db: Db,
  searched: Searched,
  order: Order,
  condition: SQL,
  after: Position | undefined,
  limit: number,
): Promise<{ readonly rows: Row[]; readonly end: Row | null }> {
  const steps = sql`from ${searched.rows} u where ${isBehind(order, searched, after)} order by ${inOrder(order, searched)}`
  // One statement, so that both are of the same list.
  const { rows } = await db.session.orm.execute<Row & { readonly isEnd: boolean }>(sql`
    (select ${positionOf(order, searched)}, false as "isEnd"
      from (select * ${steps} limit ${sql.raw(String(longestWalk))}) u where ${condition} limit ${limit + 1}::integer)
    union all
    (select ${positionOf(order, searched)}, true ${steps} offset ${sql.raw(String(longestWalk - 1))} limit 1)`)
  return { rows: rows.filter(({ isEnd }) => !isEnd), end: rows.find(({ isEnd }) => isEnd) ?? null }
}

/** @param end where the search stopped without having filled the page, if it did */
function page(rows: readonly Row[], limit: number, end: Row | null): FoundPage {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : end
  return { guids: shown.map(({ guid }) => guid), next: last == null ? null : [last.value, last.guid] }
}

function positionOf({ value, type }: Order, { key }: Searched): SQL {
  return sql`u.${key} as guid, ${asText(value, type)} as value`
}

/** Numbers of the database's own making come back to it as they were. */
function asText(value: SQL, type: Order['type']): SQL {
  if (type !== 'timestamptz') return sql`(${value})::text`
  return sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

function inOrder({ value, isDescending }: Order, { key }: Searched): SQL {
  return isDescending ? sql`${value} desc, u.${key} desc` : sql`${value}, u.${key}`
}

function isBehind({ value, type, isDescending }: Order, { key }: Searched, after: Position | undefined): SQL {
  if (after === undefined) return sql`true`
  const [at, guid] = after
  const than = isDescending ? sql`<` : sql`>`
  return sql`(${value}, u.${key}) ${than} (${at}::${sql.raw(type)}, ${guid}::uuid)`
}

function conditions(searched: Searched, { terms, beginning, ranges, unusedIn }: Question): SQL[] {
  return [
    ...terms.map((term) => has(searched, sql`term = ${term}`)),
    ...(beginning === null ? [] : [has(searched, beginsWith(beginning))]),
    ...ranges.map(isWithin),
    ...(unusedIn === null ? [] : [isUnusedIn(unusedIn)]),
  ]
}

function all(found: readonly SQL[]): SQL {
  return found.length === 0 ? sql`true` : sql.join([...found], sql` and `)
}

/** `offset 0` keeps this a look-up by index: the planner would rather read all records with a term at once. */
function has({ terms, key }: Searched, condition: SQL): SQL {
  return sql`exists (select from ${terms} t where t.${key} = u.${key} and ${condition} offset 0)`
}

/** With two ends whatever was asked: by one alone the planner would expect a third of all records. */
function isWithin({ of, min, max }: Range): SQL {
  const [type, least, most] = rangeTypes[of]
  const column = columnsOf[of]
  return sql`${column} between ${min ?? least}::${sql.raw(type)} and ${max ?? most}::${sql.raw(type)}`
}

const number = ['float8', '-infinity', 'infinity'] as const
const rangeTypes = {
  starsA: number,
  starsB: number,
  nps: number,
  durationSeconds: ['integer', '-2147483648', '2147483647'],
  publishedAt: ['timestamptz', '-infinity', 'infinity'],
} as const

/** Read once for the whole search: a tournament has no more maps than its pools hold. */
function isUnusedIn(tournamentGuid: string): SQL {
  return sql`u.map_guid not in (
    select m.map_guid from ${pools} p join ${poolMaps} m on m.pool_guid = p.guid
    where p.tournament_guid = ${tournamentGuid}::uuid and p.status <> 'draft' and m.released_at is not null)`
}
