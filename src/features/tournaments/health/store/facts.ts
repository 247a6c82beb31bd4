import { and, asc, eq, inArray, notExists, type SQL, sql } from 'drizzle-orm'
import { type Db, type Orm, statement } from '../../../../infra/db/database.ts'
import { brackets, divisions } from '../../../brackets/brackets/tables.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { qualifierSyncs, qualifiers } from '../../../brackets/qualifiers/tables.ts'
import { availabilityMatches, availabilitySheets } from '../../../planning/availability/tables.ts'
import { teamColumns } from '../../../teams/teams/store/teams.ts'
import { teams } from '../../../teams/teams/tables.ts'
import type { Team } from '../../../teams/teams/types.ts'
import { tournaments } from '../../tournaments/tables.ts'
import type { FaultyMatch, MatchFault, Named, QualifierFacts } from '../types.ts'

/** Each statement reads at most `limit` rows of one tournament. */

const tournamentGuid = sql.placeholder('tournamentGuid')
const limit = sql.placeholder('limit')
const now = sql`${sql.placeholder('now')}::timestamptz`

const placed = statement('health.teams', (orm) =>
  orm
    .select(teamColumns)
    .from(teams)
    .where(and(eq(teams.tournamentGuid, tournamentGuid), inArray(teams.status, ['registered', 'qualified'])))
    .orderBy(asc(teams.createdAt), asc(teams.guid))
    .limit(limit),
)

/** Lists teams that have a place, in the order of their making. */
export async function listPlacedTeams(db: Db, guid: string, most: number): Promise<Team[]> {
  return placed(db, { tournamentGuid: guid, limit: most })
}

const emptyDivisions = statement('health.divisions', (orm) =>
  orm
    .select({ guid: divisions.guid, name: divisions.name })
    .from(divisions)
    .where(
      and(
        eq(divisions.tournamentGuid, tournamentGuid),
        notExists(sql`(select from ${brackets} b where b.division_guid = ${divisions}.guid)`),
      ),
    )
    .orderBy(asc(divisions.order), asc(divisions.guid))
    .limit(limit),
)
const anyDivision = statement('health.any_division', (orm) =>
  orm.select({ guid: divisions.guid }).from(divisions).where(eq(divisions.tournamentGuid, tournamentGuid)).limit(1),
)

export interface DivisionFacts {
  readonly hasAny: boolean
  readonly withoutBracket: readonly Named[]
}

export async function readDivisions(db: Db, guid: string, most: number): Promise<DivisionFacts> {
  const [withoutBracket, any] = await Promise.all([
    emptyDivisions(db, { tournamentGuid: guid, limit: most }),
    anyDivision(db, { tournamentGuid: guid }),
  ])
  return { hasAny: any.length > 0, withoutBracket }
}

/** Open matches of the tournament that have a time, and fulfil the condition. */
function faulty(orm: Orm, fault: MatchFault, condition: SQL) {
  return orm
    .select({
      fault: sql<MatchFault>`${fault}::text`,
      guid: matches.guid,
      number: matches.number,
      division: divisions.name,
      scheduledAt: sql<Date>`${matches.scheduledAt}`.mapWith(matches.createdAt),
    })
    .from(matches)
    .innerJoin(tournaments, eq(tournaments.guid, matches.tournamentGuid))
    .innerJoin(divisions, eq(divisions.guid, matches.divisionGuid))
    .where(
      and(
        eq(matches.tournamentGuid, tournamentGuid),
        inArray(matches.status, ['locked', 'waiting', 'ready']),
        sql`${matches.scheduledAt} is not null`,
        condition,
      ),
    )
    .orderBy(asc(matches.scheduledAt), asc(matches.guid))
    .limit(limit)
}

const outside = statement('health.matches_outside', (orm) =>
  faulty(
    orm,
    'match.outside_dates',
    sql`(${matches.scheduledAt} < ${tournaments.startsAt} or ${matches.scheduledAt} > ${tournaments.endsAt})`,
  ),
)
const beforeFeeder = statement('health.matches_before_feeder', (orm) =>
  faulty(
    orm,
    'match.before_feeder',
    sql`exists (select from ${matches} f
      where f.bracket_guid = ${matches}.bracket_guid and ${matches}.guid in (f.next_match_guid, f.loser_match_guid)
        and f.status not in ('completed', 'cancelled') and f.scheduled_at >= ${matches}.scheduled_at)`,
  ),
)
const late = statement('health.matches_late', (orm) =>
  faulty(
    orm,
    'match.late',
    sql`${tournaments.status} = 'ongoing' and ${matches.scheduledAt} < ${now} - interval '15 minutes'`,
  ),
)

/** Lists the matches whose time is wrong, those of each kind by their time. */
export async function listFaultyMatches(db: Db, guid: string, most: number, at: Date): Promise<FaultyMatch[]> {
  const values = { tournamentGuid: guid, limit: most }
  const lists = await Promise.all([
    outside(db, values),
    beforeFeeder(db, values),
    late(db, { ...values, now: at.toISOString() }),
  ])
  return lists.flat()
}

const qualifier = statement('health.qualifier', (orm) =>
  orm
    .select({
      guid: qualifiers.guid,
      closesAt: qualifiers.closesAt,
      lastError: qualifierSyncs.lastError,
      firstMatchAt: sql<Date | null>`(select min(m.scheduled_at) from ${matches} m
        where m.tournament_guid = ${qualifiers}.tournament_guid)`.mapWith(matches.scheduledAt),
    })
    .from(qualifiers)
    .leftJoin(qualifierSyncs, eq(qualifierSyncs.qualifierGuid, qualifiers.guid))
    .where(eq(qualifiers.tournamentGuid, tournamentGuid)),
)

export async function findQualifierFacts(db: Db, guid: string): Promise<QualifierFacts | null> {
  return (await qualifier(db, { tournamentGuid: guid }))[0] ?? null
}

const overdue = statement('health.sheets', (orm) =>
  orm
    .select({ guid: availabilitySheets.guid, name: availabilitySheets.title })
    .from(availabilitySheets)
    .where(
      and(
        eq(availabilitySheets.tournamentGuid, tournamentGuid),
        sql`(${availabilitySheets.closesAt} is null or ${availabilitySheets.closesAt} > ${now})`,
        sql`case ${availabilitySheets.mode}
          when 'matches' then not exists (
            select from ${availabilityMatches} a join ${matches} m on m.guid = a.match_guid
            where a.sheet_guid = ${availabilitySheets}.guid and m.status not in ('completed', 'cancelled'))
          else not exists (
            select from jsonb_array_elements(${availabilitySheets.windows}) w
            where (w ->> 'end')::float8 > extract(epoch from ${now}) * 1000) end`,
      ),
    )
    .orderBy(asc(availabilitySheets.createdAt), asc(availabilitySheets.guid))
    .limit(limit),
)

/** Lists the open sheets whose times have all passed, or whose matches are all over. */
export async function listOverdueSheets(db: Db, guid: string, most: number, at: Date): Promise<Named[]> {
  return overdue(db, { tournamentGuid: guid, limit: most, now: at.toISOString() })
}
