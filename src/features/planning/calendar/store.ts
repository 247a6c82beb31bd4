import { type SQL, sql } from 'drizzle-orm'
import { type Db, type Orm, statement } from '../../../infra/db/database.ts'
import { timelineEvents, spanOf as timelineSpanOf } from '../../tournaments/timeline/tables.ts'
import {
  hasRegistration,
  isDated,
  listings,
  registrationSpanOf,
  registrationStartOf,
  spanOf,
  startOf,
  tournaments,
} from '../../tournaments/tournaments/tables.ts'
import type { EntryFacts, EntryKind, Window } from './types.ts'

/** Pages of a calendar, in the order of `starts_at`, `guid` and `kind`, which together name an entry. */

/** Where the entries of a kind stand. Their expressions are those of the indexes. */
interface Source {
  readonly kind: EntryKind
  readonly table: SQL
  readonly tournament: SQL
  readonly guid: SQL
  readonly start: SQL
  readonly span: SQL
  readonly exists: SQL
}

const sources: readonly Source[] = [
  {
    kind: 'tournament',
    table: sql`${tournaments}`,
    tournament: sql`${tournaments.guid}`,
    guid: sql`${tournaments.guid}`,
    start: startOf(tournaments),
    span: spanOf(tournaments),
    exists: isDated(tournaments),
  },
  {
    kind: 'registration',
    table: sql`${tournaments}`,
    tournament: sql`${tournaments.guid}`,
    guid: sql`${tournaments.guid}`,
    start: registrationStartOf(tournaments),
    span: registrationSpanOf(tournaments),
    exists: hasRegistration(tournaments),
  },
  {
    kind: 'timeline',
    table: sql`${timelineEvents}`,
    tournament: sql`${timelineEvents.tournamentGuid}`,
    guid: sql`${timelineEvents.guid}`,
    start: sql`${timelineEvents.startTime}`,
    span: timelineSpanOf(timelineEvents),
    exists: sql`true`,
  },
]

const platformGuid = sql`${sql.placeholder('platformGuid')}::uuid`
const from = sql`${sql.placeholder('from')}::timestamptz`
const to = sql`${sql.placeholder('to')}::timestamptz`

/** The largest number of entries that anybody may ask for, and one more; one that the planner knows. */
export const mostEntries = 500
const mostRows = sql.raw(`${mostEntries + 1}`)

/** Entries of a source that meet the conditions. */
function keys({ kind, table, tournament, guid, start, exists }: Source, ...conditions: readonly SQL[]): SQL {
  const name = sql.raw(`'${kind}'`)
  const wanted = sql`${name} = any(${sql.placeholder('kinds')}::text[])`
  return sql`select ${name} as kind, ${guid} as guid, ${tournament} as tournament_guid, ${start} as starts_at
    from ${table} where ${sql.join([exists, wanted, ...conditions], sql` and `)}`
}

/** Whether an entry stands behind the position that is given under these names. */
function isBehind({ kind, guid, start }: Source, position: 'after' | 'since'): SQL {
  const [at, ofGuid, ofKind] = ['At', 'Guid', 'Kind'].map((name) => sql.placeholder(`${position}${name}`))
  return sql`(${start}, ${guid}, ${sql.raw(`'${kind}'`)}) > (${at}::timestamptz, ${ofGuid}::uuid, ${ofKind}::text)`
}

function merged(parts: SQL[]): SQL {
  return sql`select * from (${sql.join(parts, sql` union all `)}) entry order by starts_at, guid, kind limit ${mostRows}`
}

/**
 * Walks time, and looks each entry's tournament up in the platform's list: first over what had begun before the window,
 * then over what begins in it.
 */
function overTime(): SQL {
  const parts = sources.flatMap((source) => {
    // `offset 0` keeps this a look-up by index: the planner would rather read the whole list at once.
    const isListed = sql`exists (
      select from ${listings} l
      where l.platform_guid = ${platformGuid} and l.tournament_guid = ${source.tournament} offset 0)`
    const firstRows = ({ start, guid }: Source) => sql`order by ${start}, ${guid} limit ${mostRows}`

    // The start by another name: by its index, the planner would walk there from the first entry of all times.
    const begun = { ...source, start: sql`lower(${source.span})` }
    const isPast = sql`${sql.placeholder('afterAt')}::timestamptz >= ${from}`
    const ongoing = [sql`not ${isPast}`, sql`${source.span} @> ${from}`, sql`${begun.start} < ${from}`]
    const before = keys(begun, ...ongoing, isBehind(begun, 'after'), isListed)
    const within = keys(source, isBehind(source, 'since'), sql`${source.start} <= ${to}`, isListed)
    return [sql`(${before} ${firstRows(begun)})`, sql`(${within} ${firstRows(source)})`]
  })
  return merged(parts)
}

/** Looks at one tournament after the other. @param few yields their GUIDs as `tournament_guid` */
function overTournaments(few: SQL): SQL {
  const parts = sources.map((source) => {
    const { tournament, start, span } = source
    const overlaps = [sql`${start} <= ${to}`, sql`upper(${span}) >= ${from}`]
    const ofOne = [sql`${tournament} = few.tournament_guid`, ...overlaps, isBehind(source, 'after')]
    return sql`select of_one.* from (${few}) few cross join lateral (${keys(source, ...ofOne)} offset 0) of_one`
  })
  return merged(parts)
}

function entries(orm: Orm, page: SQL) {
  return orm
    .select({
      kind: sql<EntryKind>`page.kind`,
      tournament: {
        guid: tournaments.guid,
        id: tournaments.id,
        name: tournaments.name,
        summary: tournaments.summary,
        status: tournaments.status,
        timezone: tournaments.timezone,
        startsAt: tournaments.startsAt,
        endsAt: tournaments.endsAt,
        registrationOpensAt: tournaments.registrationOpensAt,
        registrationClosesAt: tournaments.registrationClosesAt,
        updatedAt: tournaments.updatedAt,
      },
      event: {
        guid: timelineEvents.guid,
        title: timelineEvents.title,
        description: timelineEvents.description,
        icon: timelineEvents.icon,
        startTime: timelineEvents.startTime,
        endTime: timelineEvents.endTime,
        updatedAt: timelineEvents.updatedAt,
      },
    })
    .from(sql`(${page}) page`)
    .innerJoin(tournaments, sql`${tournaments.guid} = page.tournament_guid`)
    .leftJoin(timelineEvents, sql`page.kind = 'timeline' and ${timelineEvents.guid} = page.guid`)
    .orderBy(sql`page.starts_at`, sql`page.guid`, sql`page.kind`)
    .limit(sql.placeholder('limit'))
}

/** As many tournaments are looked at one by one. */
const few = 1_000

/** The first of the platform's list, in an order that one index alone has. */
function listed(limit: number): SQL {
  return sql`select tournament_guid from ${listings} where platform_guid = ${platformGuid}
    order by sort_at, tournament_guid limit ${sql.raw(`${limit}`)}`
}

const countOfListed = statement('calendar.listed', (orm) =>
  orm.select({ count: sql<number>`count(*)::int` }).from(sql`(${listed(few + 1)}) listed`),
)

const pageOfMany = statement('calendar.page_of_many', (orm) => entries(orm, overTime()))

const pageOfFew = statement('calendar.page_of_few', (orm) => entries(orm, overTournaments(listed(few))))

const ofTournament = statement('calendar.of_tournament', (orm) =>
  entries(orm, overTournaments(sql`select ${sql.placeholder('tournamentGuid')}::uuid as tournament_guid`)),
)

/** Behind which entry a page begins. `at` is ISO 8601. */
export interface EntryPosition {
  readonly at: string
  readonly guid: string
  readonly kind: string
}

const first = { guid: '00000000-0000-0000-0000-000000000000', kind: '' }
const calendarStart: EntryPosition = { at: '-infinity', ...first }

function placeholders(position: EntryPosition, name: 'after' | 'since') {
  return { [`${name}At`]: position.at, [`${name}Guid`]: position.guid, [`${name}Kind`]: position.kind }
}

/**
 * The entries of a platform's listed tournaments that touch the window, ordered by start; one beyond `limit`, which is
 * at most `mostEntries`. Where there are few tournaments, these are looked at one by one; where there are many, walking
 * time soon fills a page. (D26)
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
  if ((listed?.count ?? 0) <= few) return pageOfFew(db, values)
  const hasBegun = after.at !== calendarStart.at && after.at >= from
  return pageOfMany(db, { ...values, ...placeholders(hasBegun ? after : { at: from, ...first }, 'since') })
}

/** All entries of one tournament, whatever its status; rules bound their number. */
export async function listEntriesOf(db: Db, tournamentGuid: string): Promise<EntryFacts[]> {
  const always = { from: '-infinity', to: 'infinity', kinds: sources.map(({ kind }) => kind) }
  const values = { tournamentGuid, ...always, ...placeholders(calendarStart, 'after') }
  return ofTournament(db, { ...values, limit: mostEntries })
}
