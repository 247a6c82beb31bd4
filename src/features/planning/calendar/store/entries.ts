import { type SQL, sql } from 'drizzle-orm'
import { type Db, type Orm, statement } from '../../../../infra/db/database.ts'
import { earlierRows } from '../../../../infra/delay/tables.ts'
import { awardEditions } from '../../../awards/awards/tables.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { qualifiers } from '../../../brackets/qualifiers/tables.ts'
import { timelineEvents } from '../../../tournaments/timeline/tables.ts'
import { listings, tournaments } from '../../../tournaments/tournaments/tables.ts'
import type { EntryFacts, EntryKey, EntryKind, Window } from '../types.ts'
import { team1, team2, tournamentColumns } from './columns.ts'
import { courseColumns, courseOf } from './sides.ts'
import { awardPhases, ofTournaments, type Source } from './sources.ts'

/** Pages of a calendar, ordered by `starts_at`, `guid` and `key`, which together identify an entry. */

const platformGuid = sql`${sql.placeholder('platformGuid')}::uuid`
const from = sql`${sql.placeholder('from')}::timestamptz`
const to = sql`${sql.placeholder('to')}::timestamptz`

/** The maximum number of entries on a page. The SQL limit is one more, and a literal, so that the planner knows it. */
export const maxEntries = 500
const maxRows = sql.raw(`${maxEntries + 1}`)

/** The maximum number of entries of one tournament. */
export const maxOfTournament = 2_000

/** Selects the keys of a source's entries that meet the conditions. */
function keys(
  { kind, key, table, tournament, guid, start, exists, earlier }: Source,
  ...conditions: readonly SQL[]
): SQL {
  const wanted = sql`${sql.raw(`'${kind}'`)} = any(${sql.placeholder('kinds')}::text[])`
  return sql`select ${sql.raw(`'${key}'`)} as key, ${guid} as guid, ${tournament ?? sql`null::uuid`} as tournament_guid,
      ${start} as starts_at, ${earlier ?? sql`null::timestamptz`} as earlier
    from ${table} where ${sql.join([exists, wanted, ...conditions], sql` and `)}`
}

/** Whether an entry comes after the position in the placeholders with this prefix. */
function isBehind({ key, guid, start }: Source, position: 'after' | 'since'): SQL {
  const [at, ofGuid, ofKey] = ['At', 'Guid', 'Key'].map((name) => sql.placeholder(`${position}${name}`))
  return sql`(${start}, ${guid}, ${sql.raw(`'${key}'`)}) > (${at}::timestamptz, ${ofGuid}::uuid, ${ofKey}::text)`
}

function merged(parts: readonly SQL[], most = maxRows): SQL {
  return sql`select * from (${sql.join([...parts], sql` union all `)}) entry order by starts_at, guid, key limit ${most}`
}

/**
 * Selects entries in order of time and looks up each entry's tournament in the platform's list: first the entries that
 * began before the window, then those that begin in it.
 */
function overTime(): SQL {
  const parts = ofTournaments.flatMap((source) => {
    // `offset 0` makes the planner look up each row by index; without it, the planner would read the whole list.
    const isListed = sql`exists (
      select from ${listings} l
      where l.platform_guid = ${platformGuid} and l.tournament_guid = ${source.tournament} offset 0)`
    const firstRows = ({ start, guid }: Source) => sql`order by ${start}, ${guid} limit ${maxRows}`

    const within = keys(source, isBehind(source, 'since'), sql`${source.start} <= ${to}`, isListed)
    const parts = [sql`(${within} ${firstRows(source)})`]
    if (source.span === null) return parts
    // Written as `lower(span)` so that the planner does not use the index of starts, which it would scan from the first
    // entry of all.
    const begun = source.longest === undefined ? { ...source, start: sql`lower(${source.span})` } : source
    const isPast = sql`${sql.placeholder('afterAt')}::timestamptz >= ${from}`
    const ongoing = [sql`not ${isPast}`, sql`${source.span} @> ${from}`, sql`${begun.start} < ${from}`]
    if (source.longest !== undefined) ongoing.push(sql`${begun.start} > ${from} - ${source.longest}`)
    const before = keys(begun, ...ongoing, isBehind(begun, 'after'), isListed)
    return [sql`(${before} ${firstRows(begun)})`, ...parts]
  })
  return merged([...parts, ...overAwards()])
}

function overlaps({ start, span }: Source): readonly SQL[] {
  return [sql`${start} <= ${to}`, sql`${span === null ? start : sql`upper(${span})`} >= ${from}`]
}

/**
 * Selects the entries of each tournament separately.
 * @param few selects the tournaments' GUIDs as `tournament_guid`
 */
function overTournaments(few: SQL): readonly SQL[] {
  return ofTournaments.map((source) => {
    const ofOne = [sql`${source.tournament} = few.tournament_guid`, ...overlaps(source), isBehind(source, 'after')]
    return sql`select of_one.* from (${few}) few cross join lateral (${keys(source, ...ofOne)} offset 0) of_one`
  })
}

/** There are only one or two editions a year, so all of them are read. */
function overAwards(): readonly SQL[] {
  return awardPhases.map((source) => keys(source, ...overlaps(source), isBehind(source, 'after')))
}

/** A column of the match as it is shown: from its row, or from an earlier version of it. */
function ofMatch(column: string, type: string): SQL {
  return sql`coalesce(${matches}.${sql.identifier(column)}, (${earlierRows.row} ->> ${sql.raw(`'${column}'`)})::${sql.raw(type)})`
}

const changed = sql`greatest(${ofMatch('updated_at', 'timestamptz')}, ${team1.updatedAt}, ${team2.updatedAt})`

function entries(orm: Orm, page: SQL) {
  return orm
    .select({
      key: sql<EntryKey>`page.key`,
      tournament: tournamentColumns,
      event: {
        guid: timelineEvents.guid,
        title: timelineEvents.title,
        description: timelineEvents.description,
        icon: timelineEvents.icon,
        startTime: timelineEvents.startTime,
        endTime: timelineEvents.endTime,
        updatedAt: timelineEvents.updatedAt,
      },
      match: {
        guid: sql<string>`page.guid`,
        scheduledAt: sql<Date>`${ofMatch('scheduled_at', 'timestamptz')}`.mapWith(matches.scheduledAt),
        ...courseColumns(ofMatch),
        team1: team1.name,
        team2: team2.name,
        updatedAt: sql<Date>`${changed}`.mapWith(matches.updatedAt),
      },
      qualifier: {
        guid: qualifiers.guid,
        opensAt: qualifiers.opensAt,
        closesAt: qualifiers.closesAt,
        updatedAt: qualifiers.updatedAt,
      },
      award: {
        guid: awardEditions.guid,
        id: awardEditions.id,
        title: awardEditions.title,
        nominationsOpenAt: awardEditions.nominationsOpenAt,
        nominationsCloseAt: awardEditions.nominationsCloseAt,
        votingOpensAt: awardEditions.votingOpensAt,
        votingClosesAt: awardEditions.votingClosesAt,
        publishAt: awardEditions.publishAt,
        publishedAt: awardEditions.publishedAt,
        updatedAt: awardEditions.updatedAt,
      },
    })
    .from(sql`(${page}) page`)
    .leftJoin(tournaments, sql`${tournaments.guid} = page.tournament_guid`)
    .leftJoin(timelineEvents, sql`page.key = 'timeline' and ${timelineEvents.guid} = page.guid`)
    .leftJoin(matches, sql`page.key = 'match' and page.earlier is null and ${matches.guid} = page.guid`)
    .leftJoin(
      earlierRows,
      sql`page.key = 'match' and ${earlierRows.relation} = 'matches' and ${earlierRows.key} = page.guid::text
        and ${earlierRows.until} = page.earlier`,
    )
    .leftJoin(team1, sql`${team1.guid} = ${ofMatch('team1_guid', 'uuid')}`)
    .leftJoin(team2, sql`${team2.guid} = ${ofMatch('team2_guid', 'uuid')}`)
    .leftJoin(qualifiers, sql`page.key = 'qualifier' and ${qualifiers.guid} = page.guid`)
    .leftJoin(awardEditions, sql`page.key like 'award-%' and ${awardEditions.guid} = page.guid`)
    .orderBy(sql`page.starts_at`, sql`page.guid`, sql`page.key`)
    .limit(sql.placeholder('limit'))
}

type Row = Awaited<ReturnType<typeof pageOfMany>>[number]

function factsOf({ key, tournament, event, match, qualifier, award }: Row): EntryFacts {
  if (key === 'award-nominations' || key === 'award-voting' || key === 'award-results') {
    return { key, award: known(award) }
  }
  const common = { tournament: known(tournament) }
  if (key === 'timeline') return { ...common, key, event: known(event) }
  if (key === 'qualifier') return { ...common, key, qualifier: known(qualifier) }
  if (key !== 'match') return { ...common, key }
  const { guid, scheduledAt, updatedAt } = match
  return { ...common, key, match: { guid, scheduledAt, updatedAt, ...courseOf(match) } }
}

function known<T>(joined: T | null): T {
  if (joined === null) throw new Error('an entry of the calendar is of nothing')
  return joined
}

/** Up to this number of tournaments, each tournament is read separately. */
const few = 1_000

/** The first tournaments of the platform's list, in an order that only one index has. */
function listed(limit: number): SQL {
  return sql`select tournament_guid from ${listings} where platform_guid = ${platformGuid}
    order by sort_at, tournament_guid limit ${sql.raw(`${limit}`)}`
}

const countOfListed = statement('calendar.listed', (orm) =>
  orm.select({ count: sql<number>`count(*)::int` }).from(sql`(${listed(few + 1)}) listed`),
)

const pageOfMany = statement('calendar.page_of_many', (orm) => entries(orm, overTime()))

const pageOfFew = statement('calendar.page_of_few', (orm) =>
  entries(orm, merged([...overTournaments(listed(few)), ...overAwards()])),
)

const ofTournament = statement('calendar.of_tournament', (orm) =>
  entries(
    orm,
    merged(
      overTournaments(sql`select ${sql.placeholder('tournamentGuid')}::uuid as tournament_guid`),
      sql.raw(`${maxOfTournament}`),
    ),
  ),
)

/** A page begins after this entry. `at` is ISO 8601. */
export interface EntryPosition {
  readonly at: string
  readonly guid: string
  readonly key: string
}

const first = { guid: '00000000-0000-0000-0000-000000000000', key: '' }
const calendarStart: EntryPosition = { at: '-infinity', ...first }

function placeholders(position: EntryPosition, name: 'after' | 'since') {
  return { [`${name}At`]: position.at, [`${name}Guid`]: position.guid, [`${name}Key`]: position.key }
}

/**
 * Lists the entries of a platform's listed tournaments that overlap the window, ordered by start, with one beyond
 * `limit`. `limit` is at most `maxEntries`. With few tournaments, each tournament is read separately; with many,
 * reading in order of time fills a page sooner. (D26)
 */
export async function listEntries(
  db: Db,
  filter: { readonly platformGuid: string; readonly window: Window; readonly kinds: readonly EntryKind[] },
  limit: number,
  after: EntryPosition = calendarStart,
): Promise<EntryFacts[]> {
  const { platformGuid, window, kinds } = filter
  const [from, to] = [window.from.toISOString(), window.to.toISOString()]
  const values = { platformGuid, kinds, from, to, ...placeholders(after, 'after'), limit: limit + 1 }
  const [listed] = await countOfListed(db, { platformGuid })
  if ((listed?.count ?? 0) <= few) return (await pageOfFew(db, values)).map(factsOf)
  const hasBegun = after.at !== calendarStart.at && after.at >= from
  const since = placeholders(hasBegun ? after : { at: from, ...first }, 'since')
  return (await pageOfMany(db, { ...values, ...since })).map(factsOf)
}

/** Lists the first entries of one tournament, whatever its status. */
export async function listEntriesOf(db: Db, tournamentGuid: string): Promise<EntryFacts[]> {
  const always = { from: '-infinity', to: 'infinity', kinds: ofTournaments.map(({ kind }) => kind) }
  const values = { tournamentGuid, ...always, ...placeholders(calendarStart, 'after') }
  return (await ofTournament(db, { ...values, limit: maxOfTournament })).map(factsOf)
}
