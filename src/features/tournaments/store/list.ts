import { and, eq, getTableColumns, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { parseIdentifier } from '../../../core/ids.ts'
import { type Db, statement } from '../../../infra/db/database.ts'
import { platforms } from '../../platforms/tables.ts'
import { appearances } from '../../registration/tables.ts'
import { teamMembers } from '../../teams/tables.ts'
import { isDated, listings, spanOf, tournamentCounts, tournaments } from '../tables.ts'
import type { Counts, Tournament, TournamentStatus } from '../types.ts'

/** Pages of a platform's public list: newest start first, those without a start last. (D26) */

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

/** The platform of a context id, or the system platform. */
export async function findPlatformGuid(db: Db, contextId: string | undefined): Promise<string | undefined> {
  if (contextId === undefined) return (await systemPlatform(db))[0]?.guid
  const parsed = parseIdentifier(contextId)
  if (parsed === null || 'guid' in parsed) return undefined
  return (await platformById(db, parsed))[0]?.guid
}

export interface Listed {
  readonly tournament: Tournament
  readonly counts: Counts
  readonly sortAt: Date
}

/** Where a page begins: after the record that sorts by `at` (ISO 8601) and `guid`. */
export interface ListPosition {
  readonly at: string
  readonly guid: string
}

const listStart: ListPosition = { at: 'infinity', guid: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

export interface ListFilter {
  readonly platformGuid: string
  readonly statuses?: readonly TournamentStatus[] | undefined
  /** Words in the form of `to_tsquery`. */
  readonly words?: string | undefined
  /** Tournaments that take place at some time between the two. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly organiserGuid?: string | undefined
  readonly participantGuid?: string | undefined
  readonly registrationOpenAt?: Date | undefined
}

const listedColumns = {
  tournament: tournamentColumns,
  counts: {
    teams: tournamentCounts.teams,
    registered: tournamentCounts.registered,
    qualified: tournamentCounts.qualified,
    players: tournamentCounts.players,
  },
}

const newestFirst = [sql`${listings.sortAt} desc`, sql`${listings.tournamentGuid} desc`]

const plainPage = statement('tournaments.list', (orm) =>
  orm
    .select({ ...listedColumns, sortAt: listings.sortAt })
    .from(listings)
    .innerJoin(tournaments, eq(tournaments.guid, listings.tournamentGuid))
    .innerJoin(tournamentCounts, eq(tournamentCounts.tournamentGuid, listings.tournamentGuid))
    .where(
      and(
        eq(listings.platformGuid, sql.placeholder('platformGuid')),
        sql`(${listings.sortAt}, ${listings.tournamentGuid}) < (${sql.placeholder('at')}::timestamptz, ${sql.placeholder('guid')}::uuid)`,
      ),
    )
    .orderBy(...newestFirst)
    .limit(sql.placeholder('limit')),
)

/** Each status' own page from its index, merged: a status that few have costs no more than one that many have. */
const pageByStatus = statement('tournaments.list_by_status', (orm) =>
  orm
    .select({ ...listedColumns, sortAt: sql<Date>`page.sort_at`.mapWith(listings.sortAt) })
    .from(tournaments)
    .innerJoin(
      sql`(
        select l.* from unnest(${sql.placeholder('statuses')}::text[]) as wanted(status) cross join lateral (
          select tournament_guid, sort_at from ${listings}
          where platform_guid = ${sql.placeholder('platformGuid')} and ${listings}.status = wanted.status
            and (sort_at, tournament_guid) < (${sql.placeholder('at')}::timestamptz, ${sql.placeholder('guid')}::uuid)
          order by sort_at desc, tournament_guid desc limit ${sql.placeholder('limit')}
        ) l order by l.sort_at desc, l.tournament_guid desc limit ${sql.placeholder('limit')}
      ) page`,
      sql`page.tournament_guid = ${tournaments.guid}`,
    )
    .innerJoin(tournamentCounts, eq(tournamentCounts.tournamentGuid, tournaments.guid))
    .orderBy(sql`page.sort_at desc`, sql`page.tournament_guid desc`),
)

/** Whether a filter looks beyond the list itself, at what tournaments are. */
export function narrows({ platformGuid: _platform, statuses: _statuses, ...others }: ListFilter): boolean {
  return Object.values(others).some((value) => value !== undefined)
}

/** One page, and one record beyond `limit`. */
export async function listTournaments(
  db: Db,
  filter: ListFilter,
  after: ListPosition = listStart,
  limit: number,
): Promise<Listed[]> {
  const { platformGuid, statuses } = filter
  const page = { platformGuid, ...after, limit: limit + 1 }
  if (narrows(filter)) return filteredPage(db, filter, after, limit + 1)
  return statuses === undefined ? plainPage(db, page) : pageByStatus(db, { ...page, statuses })
}

async function filteredPage(db: Db, filter: ListFilter, after: ListPosition, rows: number): Promise<Listed[]> {
  return db.session.orm
    .select({ ...listedColumns, sortAt: listings.sortAt })
    .from(listings)
    .innerJoin(tournaments, eq(tournaments.guid, listings.tournamentGuid))
    .innerJoin(tournamentCounts, eq(tournamentCounts.tournamentGuid, listings.tournamentGuid))
    .where(
      and(
        eq(listings.platformGuid, filter.platformGuid),
        sql`(${listings.sortAt}, ${listings.tournamentGuid}) < (${after.at}::timestamptz, ${after.guid}::uuid)`,
        ...conditions(filter),
      ),
    )
    .orderBy(...newestFirst)
    .limit(rows)
}

function conditions(filter: ListFilter): SQL[] {
  const { statuses, words, from, to, organiserGuid, participantGuid, registrationOpenAt } = filter
  const all: SQL[] = []
  if (statuses !== undefined) all.push(inArray(listings.status, [...statuses]))
  if (words !== undefined) all.push(sql`${search} @@ to_tsquery('simple', ${words})`)
  if (from !== undefined || to !== undefined) all.push(isDated(tournaments), overlaps(from, to))
  if (organiserGuid !== undefined) all.push(eq(tournaments.organiserGuid, organiserGuid))
  if (participantGuid !== undefined) all.push(hasPlayed(participantGuid))
  if (registrationOpenAt !== undefined) all.push(...isOpen(registrationOpenAt))
  return all
}

function overlaps(from: Date | undefined, to: Date | undefined): SQL {
  return sql`${spanOf(tournaments)} && tstzrange(${from?.toISOString() ?? null}, ${to?.toISOString() ?? null}, '[]')`
}

/** Is in one of its teams, or was when the team was registered. */
function hasPlayed(userGuid: string): SQL {
  return sql`${tournaments.guid} in (
    select tournament_guid from ${teamMembers} where user_guid = ${userGuid}
    union select tournament_guid from ${appearances} where user_guid = ${userGuid})`
}

/** Anybody may register a team now. An end of the window that is not set is open. */
function isOpen(now: Date): SQL[] {
  const at = sql`${now.toISOString()}::timestamptz`
  const { publicRegistration, registrationOpensAt, registrationClosesAt, capacity } = tournaments
  return [
    eq(listings.status, 'approved'),
    eq(publicRegistration, true),
    sql`coalesce(${registrationOpensAt} <= ${at}, true)`,
    sql`coalesce(${registrationClosesAt} > ${at}, true)`,
    or(isNull(capacity), lt(tournamentCounts.registered, capacity)) ?? sql`true`,
  ]
}
