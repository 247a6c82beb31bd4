import { type SQL, sql } from 'drizzle-orm'
import type { Position } from '../../../../core/page.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { poolMaps, pools } from '../../pools/tables.ts'
import { listedPools, mapTerms, mapUsage, poolTerms } from '../tables.ts'
import type { FoundPage, MapSort, PoolSort, Question, Range, Ranking } from '../types.ts'
import { all, among, isBehind, type Order, page, type Row, type Searched, valueText, walk } from './walk.ts'

/**
 * Finds one page of the records that answer a question. The work for a page does not grow with the archive. The records
 * with a term are read in the list's order, from the page's start. With several conditions, the search starts from the
 * rarest. If few records meet it, all of them are checked. If many do, the search walks the list until the page is
 * full, or until it has checked a maximum number of records and the next page has to continue. (pools: Archive)
 */

/** Maximum number of records that are all checked, without walking a list. */
const few = 500
/** Maximum number of words with the same beginning. */
const maxWords = 20
/** Maximum number of maps that are published again while a client pages through the list by use. */
const maxChanged = 5_000

const ofMaps: Searched = { rows: sql`${mapUsage}`, terms: sql`${mapTerms}`, key: sql.raw('map_guid') }
const ofPools: Searched = { rows: sql`${listedPools}`, terms: sql`${poolTerms}`, key: sql.raw('pool_guid') }

const columnsOf = {
  starsA: sql.raw('stars_a'),
  starsB: sql.raw('stars_b'),
  nps: sql.raw('nps'),
  durationSeconds: sql.raw('duration_seconds'),
  publishedAt: sql.raw('published_at'),
} as const

const newestMaps: Order = { value: sql.raw('u.first_published_at'), type: 'timestamptz', isDescending: true }
const usedMaps: Order = { value: sql.raw('u.pools'), type: 'integer', isDescending: true }
const named: Order = { value: sql.raw('u.name_key'), type: 'text', isDescending: false }
const newestPools: Order = { value: sql`u.${columnsOf.publishedAt}`, type: 'timestamptz', isDescending: true }

function mapOrder(sort: Exclude<MapSort, 'used'>, ranking: Ranking): Order {
  if (sort === 'newest') return newestMaps
  if (sort === 'name') return named
  return { value: sql`u.${ranking === 'b' ? columnsOf.starsB : columnsOf.starsA}`, type: 'float8', isDescending: true }
}

interface Asked {
  readonly question: Question
  readonly limit: number
  /** Position of the last record before the page. */
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

async function search(db: Db, searched: Searched, order: Order, { question, limit, after }: Asked): Promise<FoundPage> {
  const way = await wayTo(db, searched, question)
  if ('few' in way) {
    const fits = all(way.conditions)
    return page(
      await among(db, searched, order, way.few, sql`${fits} and ${isBehind(order, searched, after)}`, limit),
      limit,
      null,
    )
  }
  const { rows, end } = await walk(db, searched, order, way.terms, way.conditions, after, limit)
  return page(rows, limit, end)
}

/**
 * The order by number of pools changes with each publication. Later pages keep the order of the first page:
 * publications since then are not counted. The position contains the time of the last publication before the first
 * page.
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
  const withTime = (found: FoundPage): FoundPage => ({
    ...found,
    next: found.next === null ? null : [until as string, ...found.next],
  })
  const way = await wayTo(db, ofMaps, question)
  const existed = sql`${all(conditionsOf(ofMaps, question))} and u.first_published_at <= ${asked} and ${isBehind(asThen, ofMaps, start)}`
  if ('few' in way) return withTime(page(await among(db, ofMaps, asThen, way.few, existed, limit), limit, null))
  const isUnmoved = row(ofMaps, sql`r.last_used_at <= ${asked}`)
  const { rows: unmoved, end } = await walk(
    db,
    ofMaps,
    usedMaps,
    way.terms,
    [...way.conditions, isUnmoved],
    start,
    limit,
  )
  // Runs after the walk: a map that is published in between is found twice, and not missed.
  const changed = sql`select map_guid from ${mapUsage} where last_used_at > ${asked} order by last_used_at limit ${mostOf(maxChanged)}`
  const moved = await among(db, ofMaps, asThen, changed, existed, limit)
  const found = new Map([...unmoved, ...moved].map((each) => [each.guid, each]))
  const sorted = [...found.values()].filter((each) => end === null || byUse(each, end) <= 0).toSorted(byUse)
  return withTime(page(sorted, limit, end))
}

function byUse(a: Row, b: Row): number {
  return Number(b.value) - Number(a.value) || (a.guid < b.guid ? 1 : -1)
}

async function lastPublication(db: Db): Promise<string> {
  const { rows } = await db.session.orm.execute<{ at: string | null }>(
    sql`select ${valueText(sql`max(last_used_at)`, 'timestamptz')} as at from ${mapUsage}`,
  )
  return rows[0]?.at ?? '0001-01-01T00:00:00.000Z'
}

/**
 * The way of a search: it checks all of a few records, or walks the lists of some terms, or walks the whole list
 * (`terms` is null). `conditions` are the remaining conditions of the question.
 */
type Way = { readonly conditions: readonly SQL[] } & (
  | { readonly few: SQL }
  | { readonly terms: readonly string[] | null }
)

/** One condition of a question. */
interface Part {
  readonly condition: SQL
  /** Selects the keys of the records that meet the condition, at most `few` + 1. */
  readonly keys: SQL
  /**
   * The terms of the condition: a record meets it if it has at least one of them. null for a range, or if there are too
   * many terms to walk.
   */
  readonly terms: readonly string[] | null
}

async function wayTo(db: Db, searched: Searched, question: Question): Promise<Way> {
  const parts = await partsOf(db, searched, question)
  const others = question.unusedIn === null ? [] : [isUnusedIn(question.unusedIn)]
  const conditionsBut = (taken: Part | undefined) => [
    ...parts.filter((part) => part !== taken).map(({ condition }) => condition),
    ...others,
  ]
  const [only] = parts
  if (only === undefined) return { terms: null, conditions: others }
  if (parts.length === 1 && only.terms !== null) return { terms: only.terms, conditions: others }
  const counts = parts.map(
    ({ keys }, place) => sql`select ${place}::integer as place, count(*)::integer as count from (${keys}) k`,
  )
  const { rows } = await db.session.orm.execute<{ place: number; count: number }>(sql.join(counts, sql` union all `))
  const rarest = rows.toSorted((a, b) => a.count - b.count)[0]
  if (rarest !== undefined && rarest.count <= few) {
    const part = parts[rarest.place] as Part
    return { few: part.keys, conditions: conditionsBut(part) }
  }
  const walked = parts.find(({ terms }) => terms !== null)
  return { terms: walked?.terms ?? null, conditions: conditionsBut(walked) }
}

/** Usually the rarest condition comes first. */
async function partsOf(db: Db, searched: Searched, { terms, beginning, ranges }: Question): Promise<Part[]> {
  const { rows, key } = searched
  const started = beginning === null ? null : await termsThatBegin(db, searched, beginning)
  return [
    ...(beginning === null
      ? []
      : [
          {
            condition: has(searched, beginsWith(beginning)),
            keys: keysWith(searched, beginsWith(beginning)),
            terms: started,
          },
        ]),
    ...terms.map((term) => ({ condition: has(searched, is(term)), keys: keysWith(searched, is(term)), terms: [term] })),
    ...ranges.map((range) => ({
      condition: row(searched, isWithin(range)),
      keys: sql`select r.${key} from ${rows} r where ${isWithin(range)} order by r.${columnsOf[range.of]} limit ${mostOf(few)}`,
      terms: null,
    })),
  ]
}

/**
 * Finds each term by an index look-up after the term before it. Returns null if there are more terms than one walk can
 * follow.
 */
async function termsThatBegin(db: Db, { terms }: Searched, beginning: string): Promise<string[] | null> {
  const next = (after: SQL) =>
    sql`select term from ${terms} where ${after} and term < ${`${beginning}\u{10FFFF}`} order by term limit 1`
  const { rows } = await db.session.orm.execute<{ term: string }>(sql`
    with recursive found (term, place) as (
      (select term, 1 from (${next(sql`term >= ${beginning}`)}) first)
      union all
      select (${next(sql`term > found.term`)}), place + 1 from found where found.term is not null and place <= ${sql.raw(String(maxWords))}
    )
    select term from found where term is not null`)
  return rows.length > maxWords ? null : rows.map(({ term }) => term)
}

function keysWith({ terms, key }: Searched, condition: SQL): SQL {
  return sql`select ${key} from ${terms} where ${condition} order by term limit ${mostOf(few)}`
}

/** `count` + 1, as a constant: for a parameter the planner would assume a tenth of the table. */
function mostOf(count: number): SQL {
  return sql.raw(String(count + 1))
}

function is(term: string): SQL {
  return sql`term = ${term}`
}

function beginsWith(beginning: string): SQL {
  return sql`term >= ${beginning} and term < ${`${beginning}\u{10FFFF}`}`
}

function conditionsOf(searched: Searched, { terms, beginning, ranges, unusedIn }: Question): SQL[] {
  return [
    ...terms.map((term) => has(searched, is(term))),
    ...(beginning === null ? [] : [has(searched, beginsWith(beginning))]),
    ...ranges.map((range) => row(searched, isWithin(range))),
    ...(unusedIn === null ? [] : [isUnusedIn(unusedIn)]),
  ]
}

/** `offset 0` forces an index look-up for each record. Otherwise the planner would read all records with the term. */
function has({ terms, key }: Searched, condition: SQL): SQL {
  return sql`exists (select from ${terms} t where t.${key} = u.${key} and ${condition} offset 0)`
}

/** Looks up the record by its key only, even if the condition has an index. @param condition over a row named `r` */
function row({ rows, key }: Searched, condition: SQL): SQL {
  return sql`exists (select from (select * from ${rows} r where r.${key} = u.${key} offset 0) r where ${condition})`
}

/** Always gives both ends: for a range with one end the planner would expect a third of all records. */
function isWithin({ of, min, max }: Range): SQL {
  const [type, least, most] = rangeTypes[of]
  return sql`r.${columnsOf[of]} between ${min ?? least}::${sql.raw(type)} and ${max ?? most}::${sql.raw(type)}`
}

const number = ['float8', '-infinity', 'infinity'] as const
const rangeTypes = {
  starsA: number,
  starsB: number,
  nps: number,
  durationSeconds: ['integer', '-2147483648', '2147483647'],
  publishedAt: ['timestamptz', '-infinity', 'infinity'],
} as const

/** The list of maps is read once per search. It is short, because the pools of a tournament hold few maps. */
function isUnusedIn(tournamentGuid: string): SQL {
  return sql`u.map_guid not in (
    select m.map_guid from ${pools} p join ${poolMaps} m on m.pool_guid = p.guid
    where p.tournament_guid = ${tournamentGuid}::uuid and p.status <> 'draft' and m.released_at is not null)`
}
