import { type SQL, sql } from 'drizzle-orm'
import { maxPageSize } from '../../../../core/page.ts'
import type { MatchStatus, Outcome, Section } from '../../../../engine/types.ts'
import { type Db, type Orm, statement } from '../../../../infra/db/database.ts'
import { isShownAsItIs, isShownInstead } from '../../../../infra/delay/store.ts'
import { earlierRows } from '../../../../infra/delay/tables.ts'
import { listings, tournaments } from '../../../tournaments/tournaments/tables.ts'
import { brackets, divisions } from '../../brackets/tables.ts'
import type { MatchOrder, StatusWindow } from '../rules.ts'
import { hasTime, lastRoundOf, matches, timeOf } from '../tables.ts'
import type { ListedMatch, StoredSide } from '../types.ts'

/**
 * The matches of all tournaments on a platform's public list, in order of time or against it. As in the calendar,
 * everybody sees them with the stream's delay: a match whose row is newer than the stream is read from its earlier
 * version. (D26, RT40)
 */

/** A page begins after the match with this time (ISO 8601) and GUID. */
export interface TimePosition {
  readonly at: string
  readonly guid: string
}

/** One order of the list, the position before all matches, and what comes after a position. */
interface Order {
  readonly start: TimePosition
  readonly isAfter: SQL
  readonly direction: SQL
}

const orders: Readonly<Record<MatchOrder, Order>> = {
  oldest: {
    start: { at: '-infinity', guid: '00000000-0000-0000-0000-000000000000' },
    isAfter: sql`>`,
    direction: sql`asc`,
  },
  newest: {
    start: { at: 'infinity', guid: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
    isAfter: sql`<`,
    direction: sql`desc`,
  },
}

const platformGuid = sql`${sql.placeholder('platformGuid')}::uuid`
const afterAt = sql`${sql.placeholder('at')}::timestamptz`
const afterGuid = sql`${sql.placeholder('guid')}::uuid`
/** A literal number for the planner, as in the list of tournaments. */
const maxRows = sql.raw(`${maxPageSize + 1}`)
/** Up to this number of tournaments on the list, the matches of each are looked up. */
const few = 25

/** The wanted statuses, each with its window of time. */
const wanted = sql`unnest(${sql.placeholder('statuses')}::text[], ${sql.placeholder('starts')}::timestamptz[],
  ${sql.placeholder('ends')}::timestamptz[]) as wanted (status, starts, ends)`

/** Where matches are read: from their rows, or from earlier versions of these. */
interface Source {
  readonly guid: SQL
  readonly tournament: SQL
  readonly at: SQL
  readonly status: SQL
}

const present: Source = {
  guid: sql`${matches.guid}`,
  tournament: sql`${matches.tournamentGuid}`,
  at: timeOf(matches),
  status: sql`${matches.status}`,
}

const ofRow = (name: string, type: string) => sql`(${earlierRows.row} ->> ${sql.raw(`'${name}'`)})::${sql.raw(type)}`
const earlier: Source = {
  guid: ofRow('guid', 'uuid'),
  tournament: sql`${earlierRows.tournamentGuid}`,
  at: sql`coalesce(${ofRow('scheduled_at', 'timestamptz')}, ${ofRow('started_at', 'timestamptz')})`,
  status: ofRow('status', 'text'),
}

function isWanted({ at, status, guid }: Source, { isAfter }: Order): SQL {
  return sql`${status} = wanted.status and ${at} >= wanted.starts and ${at} <= wanted.ends
    and (${at}, ${guid}) ${isAfter} (${afterAt}, ${afterGuid})`
}

/** `offset 0` makes the planner look up each row by index; without it, the planner would read the whole list. */
function isListed({ tournament }: Source): SQL {
  return sql`exists (select from ${listings} l
    where l.platform_guid = ${platformGuid} and l.tournament_guid = ${tournament} offset 0)`
}

/** The first matches of one wanted status. */
function ofStatus(order: Order, condition: SQL): SQL {
  const { guid, tournament, at } = present
  return sql`(select ${guid} as guid, ${tournament} as tournament_guid, ${at} as at, null::timestamptz as earlier
    from ${matches}
    where ${isWanted(present, order)} and ${hasTime(matches)} and ${condition}
      and ${isShownAsItIs({ relation: 'matches', tournament, match: guid })}
    order by ${at} ${order.direction}, ${guid} ${order.direction} limit ${maxRows})`
}

/** Only matches that changed recently in tournaments with a delay have an earlier version, so these are few. */
function earlierVersions(order: Order): SQL {
  const { guid, tournament, at } = earlier
  // A match of a deleted bracket is gone at once. (RT41)
  return sql`select ${guid} as guid, ${tournament} as tournament_guid, ${at} as at, ${earlierRows.until} as earlier
    from ${earlierRows}, ${wanted}
    where ${isShownInstead({ relation: 'matches', tournament, match: guid })} and ${isWanted(earlier, order)}
      and ${isListed(earlier)} and exists (select from ${brackets} b where b.guid = ${ofRow('bracket_guid', 'uuid')})`
}

function page(order: Order, found: SQL): SQL {
  return sql`select * from (${found} union all ${earlierVersions(order)}) entry
    order by at ${order.direction}, guid ${order.direction} limit ${maxRows}`
}

/** Reads each status in order of time, and looks up the tournament of each match in the platform's list. */
function overTime(order: Order): SQL {
  return page(order, sql`select entry.* from ${wanted} cross join lateral ${ofStatus(order, isListed(present))} entry`)
}

/** The first tournaments of the platform's list, in an order that only one index has. */
function listed(limit: number): SQL {
  return sql`select tournament_guid from ${listings} where platform_guid = ${platformGuid}
    order by sort_at, tournament_guid limit ${sql.raw(`${limit}`)}`
}

function overTournaments(order: Order): SQL {
  return page(
    order,
    sql`select entry.* from (${listed(few)}) few cross join ${wanted}
      cross join lateral ${ofStatus(order, sql`${present.tournament} = few.tournament_guid`)} entry`,
  )
}

/** A column of the match as it is shown: from its row, or from its earlier version. */
function shown(name: string, type: string): SQL {
  return sql`coalesce(${matches}.${sql.identifier(name)}, ${ofRow(name, type)})`
}
const shownInstant = (name: string) => sql<Date | null>`${shown(name, 'timestamptz')}`.mapWith(matches.startedAt)

function cards(orm: Orm, { direction }: Order, found: SQL) {
  return orm
    .select({
      guid: sql<string>`page.guid`,
      at: sql<Date>`page.at`.mapWith(matches.createdAt),
      tournament: {
        guid: tournaments.guid,
        id: tournaments.id,
        name: tournaments.name,
        imageUrl: tournaments.imageUrl,
        timezone: tournaments.timezone,
      },
      division: { guid: divisions.guid, id: divisions.id, name: divisions.name },
      bracket: { guid: brackets.guid, name: brackets.name },
      format: brackets.format,
      lastRound: lastRoundOf(sql`${brackets.guid}`, shown('section', 'text')),
      number: sql<number>`${shown('number', 'int')}`,
      section: sql<Section>`${shown('section', 'text')}`,
      round: sql<number>`${shown('round', 'int')}`,
      status: sql<MatchStatus>`${shown('status', 'text')}`,
      outcome: sql<Outcome | null>`${shown('outcome', 'text')}`,
      team1Guid: sql<string | null>`${shown('team1_guid', 'uuid')}`,
      team2Guid: sql<string | null>`${shown('team2_guid', 'uuid')}`,
      sides: sql<readonly [StoredSide, StoredSide]>`${shown('sides', 'jsonb')}`,
      bestOf: sql<number>`${shown('best_of', 'int')}`,
      scheduledAt: shownInstant('scheduled_at'),
      startedAt: shownInstant('started_at'),
      completedAt: shownInstant('completed_at'),
      streamUrl: sql<string | null>`${shown('stream_url', 'text')}`,
      vodUrl: sql<string | null>`${shown('vod_url', 'text')}`,
    })
    .from(sql`(${found}) page`)
    .innerJoin(tournaments, sql`${tournaments.guid} = page.tournament_guid`)
    .leftJoin(matches, sql`page.earlier is null and ${matches.guid} = page.guid`)
    .leftJoin(
      earlierRows,
      sql`${earlierRows.relation} = 'matches' and ${earlierRows.key} = page.guid::text and ${earlierRows.until} = page.earlier`,
    )
    .innerJoin(brackets, sql`${brackets.guid} = ${shown('bracket_guid', 'uuid')}`)
    .innerJoin(divisions, sql`${divisions.guid} = ${brackets.divisionGuid}`)
    .orderBy(sql`page.at ${direction}`, sql`page.guid ${direction}`)
    .limit(sql.placeholder('limit'))
}

const pagesOfMany = {
  oldest: statement('matches.all_of_many', (orm) => cards(orm, orders.oldest, overTime(orders.oldest))),
  newest: statement('matches.newest_of_many', (orm) => cards(orm, orders.newest, overTime(orders.newest))),
}
const pagesOfFew = {
  oldest: statement('matches.all_of_few', (orm) => cards(orm, orders.oldest, overTournaments(orders.oldest))),
  newest: statement('matches.newest_of_few', (orm) => cards(orm, orders.newest, overTournaments(orders.newest))),
}

const countOfListed = statement('matches.listed_tournaments', (orm) =>
  orm.select({ count: sql<number>`count(*)::int` }).from(sql`(${listed(few + 1)}) listed`),
)

interface AllPage {
  readonly order: MatchOrder
  readonly limit: number
  readonly after: TimePosition | undefined
}

/**
 * Returns one match more than `limit` if there are more. With few tournaments on the list, the matches of each are
 * looked up, so that many matches elsewhere do not matter; with many, matches are read in order of time.
 */
export async function listAllMatches(
  db: Db,
  platformGuid: string,
  windows: readonly StatusWindow[],
  { order, limit, after = orders[order].start }: AllPage,
): Promise<readonly ListedMatch[]> {
  const values = {
    platformGuid,
    statuses: windows.map(({ status }) => status),
    starts: windows.map(({ from }) => from?.toISOString() ?? '-infinity'),
    ends: windows.map(({ to }) => to?.toISOString() ?? 'infinity'),
    ...after,
    limit: limit + 1,
  }
  const [listed] = await countOfListed(db, { platformGuid })
  const pages = (listed?.count ?? 0) <= few ? pagesOfFew : pagesOfMany
  return pages[order](db, values)
}
