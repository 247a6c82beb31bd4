import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { parseIdentifier } from '../../../../core/ids.ts'
import { maxPageSize } from '../../../../core/page.ts'
import { type Db, type Orm, statement } from '../../../../infra/db/database.ts'
import { platforms } from '../../../listing/platforms/tables.ts'
import { appearances } from '../../../teams/registration/tables.ts'
import { teamMembers } from '../../../teams/teams/tables.ts'
import { excerptCharacters } from '../rules/listing.ts'
import { isDated, listings, spanOf, tournamentCounts, tournaments } from '../tables.ts'
import type { Counts, Tournament, TournamentStatus } from '../types.ts'

/** Pages of a platform's public list: newest start first, tournaments without a start last. (D26) */

const { search, ...tournamentColumns } = getTableColumns(tournaments)

const systemPlatform = statement('tournaments.system_platform', (orm) =>
  orm.select({ guid: platforms.guid }).from(platforms).where(eq(platforms.isSystem, true)),
)

const platformById = statement('tournaments.platform_by_id', (orm) =>
  orm
    .select({ guid: platforms.guid })
    .from(platforms)
    .where(eq(platforms.contextId, sql.placeholder('id'))),
)

/** Finds the platform with this context id; without a context id, the system platform. */
export async function findPlatformGuid(db: Db, contextId: string | undefined): Promise<string | undefined> {
  if (contextId === undefined) return (await systemPlatform(db))[0]?.guid
  const parsed = parseIdentifier(contextId)
  if (parsed === null || 'guid' in parsed) return undefined
  return (await platformById(db, parsed))[0]?.guid
}

/**
 * Which long members of the records are read in full. Without `texts`, texts are cut to their beginning; without
 * `fields`, additional fields are left out.
 */
export interface ListedParts {
  readonly texts: boolean
  readonly fields: boolean
}

export interface Listed {
  /** `additionalFields` is absent if it was not requested and the tournament has some. */
  readonly tournament: Omit<Tournament, 'additionalFields'> & Partial<Pick<Tournament, 'additionalFields'>>
  readonly counts: Counts
  readonly sortAt: Date
}

/** Where a page begins: after the record with this `at` (ISO 8601) and `guid`, in the list's order. */
export interface ListPosition {
  readonly at: string
  readonly guid: string
}

const listStart: ListPosition = { at: 'infinity', guid: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

export interface ListFilter {
  readonly platformGuid: string
  readonly statuses?: readonly TournamentStatus[] | undefined
  /** A query for `to_tsquery`. */
  readonly words?: string | undefined
  /** Tournaments that take place at some time between these two instants. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly organiserGuid?: string | undefined
  readonly participantGuid?: string | undefined
  readonly registrationOpenAt?: Date | undefined
}

const { description, rules, prizes, additionalFields, ...shortColumns } = tournamentColumns

/** Reads one character more than is shown, which tells whether the text is longer. */
const begun = (column: AnyPgColumn) => sql<string | null>`left(${column}, ${sql.raw(`${excerptCharacters + 1}`)})`

/** Does not read what the answer leaves out: a hundred tournaments may have 24 MB of texts and fields. */
function longColumns(parts: ListedParts) {
  return {
    description: parts.texts ? sql<string | null>`${description}` : begun(description),
    rules: parts.texts ? sql<string | null>`${rules}` : begun(rules),
    prizes: parts.texts ? sql<string | null>`${prizes}` : begun(prizes),
    additionalFields: sql<Tournament['additionalFields'] | null>`${
      parts.fields
        ? sql`${additionalFields}`
        : sql`case when jsonb_array_length(${additionalFields}) = 0 then ${additionalFields} end`
    }`,
  }
}

const listedColumns = {
  counts: {
    teams: tournamentCounts.teams,
    registered: tournamentCounts.registered,
    qualified: tournamentCounts.qualified,
    players: tournamentCounts.players,
  },
}

const inOrder = sql`order by sort_at desc, tournament_guid desc`
/** A literal number for the planner: if the page size were a parameter, it would plan for a tenth of the list. */
const maxRows = sql.raw(`${maxPageSize + 1}`)

/** Selects the keys of a platform's list after a position, with placeholders or values. */
function keys(of: Record<'platformGuid' | 'at' | 'guid', unknown>, ...conditions: readonly SQL[]): SQL {
  const position = sql`(sort_at, tournament_guid) < (${of.at}::timestamptz, ${of.guid}::uuid)`
  const all = sql.join([sql`platform_guid = ${of.platformGuid}::uuid`, position, ...conditions], sql` and `)
  return sql`select sort_at, tournament_guid from ${listings} l where ${all} ${inOrder} limit ${maxRows}`
}

const brief: ListedParts = { texts: false, fields: false }

/** Selects the records at the keys that `page` finds, in the same order. */
function listing(orm: Orm, page: SQL, parts: ListedParts = brief) {
  return orm
    .select({
      tournament: { ...shortColumns, ...longColumns(parts) },
      ...listedColumns,
      sortAt: sql<Date>`page.sort_at`.mapWith(listings.sortAt),
    })
    .from(sql`(${page}) page`)
    .innerJoin(tournaments, sql`${tournaments.guid} = page.tournament_guid`)
    .innerJoin(tournamentCounts, sql`${tournamentCounts.tournamentGuid} = page.tournament_guid`)
    .orderBy(sql`page.sort_at desc`, sql`page.tournament_guid desc`)
}

const placeholders = {
  platformGuid: sql.placeholder('platformGuid'),
  at: sql.placeholder('at'),
  guid: sql.placeholder('guid'),
}

const plainPage = statement('tournaments.list', (orm) =>
  listing(orm, keys(placeholders)).limit(sql.placeholder('limit')),
)

/** Reads one page per status from its index and merges them. So a rare status costs no more than a common one. */
const pageByStatus = statement('tournaments.list_by_status', (orm) =>
  listing(
    orm,
    sql`select of_status.* from unnest(${sql.placeholder('statuses')}::text[]) as wanted(status)
      cross join lateral (${keys(placeholders, sql`l.status = wanted.status`)}) of_status ${inOrder} limit ${maxRows}`,
  ).limit(sql.placeholder('limit')),
)

/** Whether the filter needs tournament data in addition to the list's own columns. */
export function narrows({ platformGuid: _platform, statuses: _statuses, ...others }: ListFilter): boolean {
  return Object.values(others).some((value) => value !== undefined)
}

/** Reads one page and one record beyond `limit`. */
export async function listTournaments(
  db: Db,
  filter: ListFilter,
  limit: number,
  after: ListPosition = listStart,
  parts: ListedParts = brief,
): Promise<Listed[]> {
  return (await readRows(db, filter, limit, after, parts)).map(({ tournament, ...row }) => {
    const { additionalFields, ...others } = tournament
    return { ...row, tournament: { ...others, ...(additionalFields === null ? {} : { additionalFields }) } }
  })
}

async function readRows(db: Db, filter: ListFilter, limit: number, after: ListPosition, parts: ListedParts) {
  const { platformGuid, statuses } = filter
  const start = { platformGuid, ...after }
  const rows = limit + 1
  const { orm } = db.session
  const isWhole = parts.texts || parts.fields
  if (narrows(filter)) return listing(orm, keys(start, ...conditions(filter)), parts).limit(rows)
  // Full texts are rarely requested, so this query is not prepared.
  if (isWhole) return listing(orm, keys(start, ...statusConditions(filter)), parts).limit(rows)
  return statuses === undefined
    ? plainPage(db, { ...start, limit: rows })
    : pageByStatus(db, { ...start, statuses, limit: rows })
}

function statusConditions({ statuses }: ListFilter): SQL[] {
  return statuses === undefined ? [] : [sql`l.status = any(${sql.param([...statuses])}::text[])`]
}

function conditions(filter: ListFilter): SQL[] {
  const { words, from, to, organiserGuid, participantGuid, registrationOpenAt } = filter
  const found: SQL[] = []
  if (words !== undefined) found.push(sql`${search} @@ to_tsquery('simple', ${words})`)
  if (from !== undefined || to !== undefined) found.push(isDated(tournaments), overlaps(from, to))
  if (organiserGuid !== undefined) found.push(eq(tournaments.organiserGuid, organiserGuid))
  if (participantGuid !== undefined) found.push(hasPlayed(participantGuid))
  return [
    ...statusConditions(filter),
    ...(found.length === 0 ? [] : [isAmong(found)]),
    ...(registrationOpenAt === undefined ? [] : [isOpen(registrationOpenAt)]),
  ]
}

/**
 * Finds the matching tournaments first, by their own index. The planner cannot tell a rare word from a common one and
 * would scan the list until the page is full, which for a rare word is the whole list.
 */
function isAmong(found: readonly SQL[]): SQL {
  return sql`tournament_guid in (
    with found as materialized (select ${tournaments.guid} from ${tournaments} where ${and(...found)}) select guid from found)`
}

function overlaps(from: Date | undefined, to: Date | undefined): SQL {
  return sql`${spanOf(tournaments)} && tstzrange(${from?.toISOString() ?? null}, ${to?.toISOString() ?? null}, '[]')`
}

/** Whether the user is in one of the tournament's teams, or was when the team was registered. */
function hasPlayed(userGuid: string): SQL {
  return sql`${tournaments.guid} in (
    select tournament_guid from ${teamMembers} where user_guid = ${userGuid}
    union select tournament_guid from ${appearances} where user_guid = ${userGuid})`
}

/** Whether anybody may register a team now. A start or end of registration that is not set is no limit. */
function isOpen(now: Date): SQL {
  const at = sql`${now.toISOString()}::timestamptz`
  return sql`l.status = 'approved' and exists (
    select from ${tournaments} t join ${tournamentCounts} c on c.tournament_guid = t.guid
    where t.guid = l.tournament_guid and t.public_registration and coalesce(t.registration_opens_at <= ${at}, true)
      and coalesce(t.registration_closes_at > ${at}, true) and coalesce(c.registered < t.capacity, true))`
}
