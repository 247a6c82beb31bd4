import { and, asc, desc, eq, getTableColumns, gte, inArray, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Identifier } from '../../../../core/ids.ts'
import type { TournamentRole } from '../../../../core/roles.ts'
import type { MatchStatus } from '../../../../engine/types.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { divisions, matches } from '../../brackets/tables.ts'
import type { MatchRecord } from '../../brackets/types.ts'
import type { Assignment, Correction } from '../../results/types.ts'
import { corrections, matchOfficials } from '../tables.ts'

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
 * The matches of this number, of which every division may have one; two are enough to know that there are several.
 * @param division all of them unless given
 */
export async function listMatchesByNumber(
  db: Db,
  tournamentGuid: string,
  number: number,
  division: Identifier | undefined,
): Promise<readonly MatchRecord[]> {
  return byNumber(db, { tournamentGuid, number, id: null, guid: null, ...division })
}

/** The order of the list: brackets as they were generated, and in them by number. */
export type ListPosition = readonly [createdAt: string, number: number, guid: string]

export interface MatchFilter {
  readonly divisionGuid?: string | undefined
  readonly bracketGuid?: string | undefined
  readonly statuses?: readonly MatchStatus[] | undefined
  readonly teamGuid?: string | undefined
  readonly officialGuid?: string | undefined
  /** Scheduled no earlier than this. */
  readonly from?: Date | undefined
  /** Scheduled no later than this. */
  readonly to?: Date | undefined
  readonly after?: ListPosition | undefined
  readonly limit: number
}

/** One more than `limit`, where there are more. */
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

/** Puts these in the place of whoever was to work at the match. */
export async function replaceOfficials(tx: Tx, matchGuid: string, officials: readonly Assignment[]): Promise<void> {
  const { orm } = tx.session
  await orm.delete(matchOfficials).where(eq(matchOfficials.matchGuid, matchGuid))
  if (officials.length === 0) return
  await orm.insert(matchOfficials).values(officials.map((official) => ({ ...official, matchGuid })))
}

/** Puts these in the place of whoever was to work at the matches in these roles; those in other roles stay. */
export async function replaceOfficialsInRoles(
  tx: Tx,
  matchGuids: readonly string[],
  roles: readonly TournamentRole[],
  officials: readonly (Assignment & { readonly matchGuid: string })[],
): Promise<void> {
  const { orm } = tx.session
  await orm
    .delete(matchOfficials)
    .where(and(inArray(matchOfficials.matchGuid, [...matchGuids]), inArray(matchOfficials.role, [...roles])))
  if (officials.length > 0) await orm.insert(matchOfficials).values([...officials])
}

export type NewCorrection = Omit<Correction, 'guid' | 'undoneAt'>

/** @returns its GUID */
export async function insertCorrection(tx: Tx, correction: NewCorrection): Promise<string> {
  const [row] = await tx.session.orm
    .insert(corrections)
    .values({ ...correction, before: [...correction.before], after: [...correction.after] })
    .returning({ guid: corrections.guid })
  if (row === undefined) throw new Error('an inserted correction was not returned')
  return row.guid
}

export async function findCorrection(db: Db, guid: string): Promise<Correction | undefined> {
  const [row] = await db.session.orm.select().from(corrections).where(eq(corrections.guid, guid))
  return row
}

export async function markUndone(tx: Tx, guid: string, now: Date): Promise<void> {
  await tx.session.orm.update(corrections).set({ undoneAt: now }).where(eq(corrections.guid, guid))
}

/** A correction as the list tells it. */
export interface ListedCorrection extends Omit<Correction, 'before' | 'after'> {
  /** Numbers of the matches that it altered. */
  readonly matches: readonly number[]
}

export type CorrectionPosition = readonly [createdAt: string, guid: string]

/** Newest first; one more than `limit`, where there are more. */
export async function listCorrections(
  db: Db,
  tournamentGuid: string,
  {
    matchGuid,
    after,
    limit,
  }: {
    readonly matchGuid?: string | undefined
    readonly after?: CorrectionPosition | undefined
    readonly limit: number
  },
): Promise<readonly ListedCorrection[]> {
  const { before: _, after: __, ...told } = getTableColumns(corrections)
  return db.session.orm
    .select({
      ...told,
      matches: sql<number[]>`jsonb_path_query_array(${corrections.after}, '$[*].match.number')`,
    })
    .from(corrections)
    .where(
      and(
        eq(corrections.tournamentGuid, tournamentGuid),
        matchGuid === undefined ? undefined : eq(corrections.matchGuid, matchGuid),
        after === undefined
          ? undefined
          : sql`(${corrections.createdAt}, ${corrections.guid}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`,
      ),
    )
    .orderBy(desc(corrections.createdAt), desc(corrections.guid))
    .limit(limit + 1)
}
