import { and, asc, eq, getTableColumns, gte, inArray, lte, or, type SQL, sql } from 'drizzle-orm'
import { type Identifier, isGuid, normaliseGuid, parseIdentifier } from '../../../../core/ids.ts'
import type { MatchStatus } from '../../../../engine/types.ts'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { brackets, divisions } from '../../brackets/tables.ts'
import { matches, matchOfficials } from '../tables.ts'
import type { MatchRecord } from '../types.ts'

const columns = getTableColumns(matches)
const tournamentGuid = sql.placeholder('tournamentGuid')

const byNumber = statement('matches.by_number', (orm) =>
  orm
    .select(columns)
    .from(matches)
    .innerJoin(divisions, eq(divisions.guid, matches.divisionGuid))
    .where(
      and(
        eq(matches.tournamentGuid, tournamentGuid),
        eq(matches.number, sql.placeholder('number')),
        sql`coalesce(${divisions.id} = ${sql.placeholder('id')}::text, true)`,
        sql`coalesce(${divisions.guid} = ${sql.placeholder('guid')}::uuid, true)`,
      ),
    )
    .limit(2),
)

/**
 * The matches with this number; every division may have one. Returns at most two, enough to know that the number is
 * ambiguous.
 * @param division GUID of the division to search; all divisions if left out
 */
export async function listMatchesByNumber(
  db: Db,
  tournamentGuid: string,
  number: number,
  division: Identifier | undefined,
): Promise<readonly MatchRecord[]> {
  return byNumber(db, { tournamentGuid, number, id: null, guid: null, ...division })
}

const divisionGuid = statement('matches.division', (orm) =>
  orm
    .select({ guid: divisions.guid })
    .from(divisions)
    .where(
      and(
        eq(divisions.tournamentGuid, tournamentGuid),
        sql`coalesce(${divisions.id} = ${sql.placeholder('id')}::text, true)`,
        sql`coalesce(${divisions.guid} = ${sql.placeholder('guid')}::uuid, true)`,
      ),
    ),
)

/** The division that filters the matches, by GUID or short id. (D6) */
export async function findDivisionGuid(
  db: Db,
  tournamentGuid: string,
  identifier: string,
): Promise<string | undefined> {
  const parsed = parseIdentifier(identifier)
  if (parsed === null) return undefined
  return (await divisionGuid(db, { tournamentGuid, id: null, guid: null, ...parsed }))[0]?.guid
}

const isBracket = statement('matches.bracket', (orm) =>
  orm
    .select({ guid: brackets.guid })
    .from(brackets)
    .where(and(eq(brackets.tournamentGuid, tournamentGuid), eq(brackets.guid, sql.placeholder('guid')))),
)

/** The bracket that filters the matches, by GUID. (D6) */
export async function findBracketGuid(db: Db, tournamentGuid: string, identifier: string): Promise<string | undefined> {
  if (!isGuid(identifier)) return undefined
  return (await isBracket(db, { tournamentGuid, guid: normaliseGuid(identifier) }))[0]?.guid
}

/** A position in the list of matches: by the creation of the bracket, then by match number. */
export type ListPosition = readonly [createdAt: string, number: number, guid: string]

export interface MatchFilter {
  readonly divisionGuid?: string | undefined
  readonly bracketGuid?: string | undefined
  readonly statuses?: readonly MatchStatus[] | undefined
  readonly teamGuid?: string | undefined
  readonly officialGuid?: string | undefined
  /** Scheduled at this time or later. */
  readonly from?: Date | undefined
  /** Scheduled at this time or earlier. */
  readonly to?: Date | undefined
  readonly after?: ListPosition | undefined
  readonly limit: number
}

/** Returns one match more than `limit` if there are more. */
export async function listMatches(
  db: Db,
  tournamentGuid: string,
  filter: MatchFilter,
): Promise<readonly MatchRecord[]> {
  return db.session.orm
    .select(columns)
    .from(matches)
    .where(and(eq(matches.tournamentGuid, tournamentGuid), ...conditionsOf(filter)))
    .orderBy(asc(matches.createdAt), asc(matches.number), asc(matches.guid))
    .limit(filter.limit + 1)
}

function conditionsOf(filter: MatchFilter): (SQL | undefined)[] {
  const { divisionGuid, bracketGuid, statuses, teamGuid, officialGuid, from, to, after } = filter
  return [
    divisionGuid === undefined ? undefined : eq(matches.divisionGuid, divisionGuid),
    bracketGuid === undefined ? undefined : eq(matches.bracketGuid, bracketGuid),
    statuses === undefined ? undefined : inArray(matches.status, [...statuses]),
    teamGuid === undefined ? undefined : or(eq(matches.team1Guid, teamGuid), eq(matches.team2Guid, teamGuid)),
    officialGuid === undefined
      ? undefined
      : sql`exists (select from ${matchOfficials} o where o.match_guid = ${matches.guid} and o.user_guid = ${officialGuid})`,
    from === undefined ? undefined : gte(matches.scheduledAt, from),
    to === undefined ? undefined : lte(matches.scheduledAt, to),
    after === undefined
      ? undefined
      : sql`(${matches.createdAt}, ${matches.number}, ${matches.guid}) > (${after[0]}::timestamptz, ${after[1]}::int, ${after[2]}::uuid)`,
  ]
}
