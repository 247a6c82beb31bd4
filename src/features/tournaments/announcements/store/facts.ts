import { and, asc, count, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../../../infra/db/database.ts'
import { brackets, divisions } from '../../../brackets/brackets/tables.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { poolMaps, pools } from '../../../maps/pools/tables.ts'
import { users } from '../../../people/users/tables.ts'
import { streamAssignments } from '../../../streaming/streamAssignments/tables.ts'
import { streamSessions } from '../../../streaming/streamSessions/tables.ts'
import { teams } from '../../../teams/teams/tables.ts'
import { tournamentCounts, tournaments } from '../../tournaments/tables.ts'
import type { ChatWebhook } from '../../tournaments/types.ts'
import type { Place } from '../views/places.ts'

/** What the texts name. Tables that are kept for the delay show the state that the stream shows. */

/** The tournament that a rehearsal rehearses, whose webhooks it has not. (R3) */
const rehearsed = alias(tournaments, 'rehearsed')
const ofRehearsed = <T>(own: AnyPgColumn, its: AnyPgColumn) =>
  sql<T>`case when ${tournaments.rehearsalOf} is null then ${own} else ${its} end`

const tournamentColumns = {
  guid: tournaments.guid,
  name: tournaments.name,
  status: tournaments.status,
  approvedAt: tournaments.approvedAt,
  rehearsalOf: tournaments.rehearsalOf,
  language: tournaments.language,
  announcements: tournaments.announcements,
  announcementRoles: tournaments.announcementRoles,
  chatWebhookUrl: ofRehearsed<string | null>(tournaments.chatWebhookUrl, rehearsed.chatWebhookUrl),
  chatWebhooks: ofRehearsed<readonly ChatWebhook[]>(tournaments.chatWebhooks, rehearsed.chatWebhooks),
  links: tournaments.links,
  capacity: tournaments.capacity,
  publicRegistration: tournaments.publicRegistration,
  registrationOpensAt: tournaments.registrationOpensAt,
  registrationClosesAt: tournaments.registrationClosesAt,
  placements: tournaments.placements,
}

function selectTournaments(db: Db, guids: readonly string[]) {
  return db.session.orm
    .select(tournamentColumns)
    .from(tournaments)
    .leftJoin(rehearsed, eq(rehearsed.guid, tournaments.rehearsalOf))
    .where(inArray(tournaments.guid, [...guids]))
}

export type AnnouncingTournament = Awaited<ReturnType<typeof selectTournaments>>[number]

export async function mapTournaments(
  db: Db,
  guids: readonly string[],
): Promise<ReadonlyMap<string, AnnouncingTournament>> {
  if (guids.length === 0) return new Map()
  return new Map((await selectTournaments(db, guids)).map((tournament) => [tournament.guid, tournament]))
}

/** The places of matches by GUID. */
export async function mapPlaces(
  db: Db,
  tournamentGuid: string,
  matchGuids: readonly string[],
): Promise<ReadonlyMap<string, Place>> {
  if (matchGuids.length === 0) return new Map()
  const lastRound = sql<number>`(
    select max(o.round) from matches o where o.bracket_guid = ${matches.bracketGuid} and o.section = ${matches.section})`
  const rows = await db.session.orm
    .select({
      guid: matches.guid,
      division: divisions.name,
      bracket: brackets.name,
      format: brackets.format,
      section: matches.section,
      round: matches.round,
      groupIndex: matches.groupIndex,
      lastRound,
    })
    .from(matches)
    .innerJoin(brackets, eq(brackets.guid, matches.bracketGuid))
    .innerJoin(divisions, eq(divisions.guid, matches.divisionGuid))
    .where(inArray(matches.guid, [...matchGuids]))
  const hasDivisions = (await db.session.orm.$count(divisions, eq(divisions.tournamentGuid, tournamentGuid))) > 1
  return new Map(
    rows.map(({ guid, division, ...place }) => [guid, { ...place, division: hasDivisions ? division : null }]),
  )
}

/** The next open match of each team: the first by its time, else by its number. */
export async function mapNextMatches(
  db: Db,
  tournamentGuid: string,
  teamGuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (teamGuids.length === 0) return new Map()
  const asked = sql.param([...teamGuids])
  const { rows } = await db.session.orm.execute<{ team: string; match: string }>(sql`
    select distinct on (t.guid) t.guid as team, m.guid as match
    from unnest(${asked}::uuid[]) as t (guid)
    join matches m on (m.team1_guid = t.guid or m.team2_guid = t.guid)
    where m.tournament_guid = ${tournamentGuid} and m.status in ('locked', 'waiting', 'ready')
    order by t.guid, m.scheduled_at, m.round, m.number`)
  return new Map(rows.map(({ team, match }) => [team, match]))
}

/** The matches of a round that can be played. */
export async function listRound(
  db: Db,
  bracketGuid: string,
  [section, round]: readonly [string, number],
): Promise<readonly string[]> {
  const rows = await db.session.orm
    .select({ guid: matches.guid })
    .from(matches)
    .where(
      and(
        eq(matches.bracketGuid, bracketGuid),
        sql`${matches.section} = ${section}`,
        eq(matches.round, round),
        sql`${matches.status} in ('ready', 'running')`,
      ),
    )
    .orderBy(asc(matches.number))
  return rows.map(({ guid }) => guid)
}

const maxUpcoming = 15

/** The first scheduled matches that are not over. */
export async function listUpcoming(db: Db, tournamentGuid: string, now: Date): Promise<readonly string[]> {
  const rows = await db.session.orm
    .select({ guid: matches.guid })
    .from(matches)
    .where(
      and(
        eq(matches.tournamentGuid, tournamentGuid),
        gt(matches.scheduledAt, now),
        sql`${matches.status} in ('locked', 'waiting', 'ready')`,
      ),
    )
    .orderBy(asc(matches.scheduledAt), asc(matches.number))
    .limit(maxUpcoming)
  return rows.map(({ guid }) => guid)
}

export interface BracketFacts {
  readonly guid: string
  readonly division: string | null
  readonly name: string
  readonly teams: number
  readonly matches: number
}

export async function mapBrackets(
  db: Db,
  tournamentGuid: string,
  guids: readonly string[],
): Promise<ReadonlyMap<string, BracketFacts>> {
  if (guids.length === 0) return new Map()
  const { rows } = await db.session.orm.execute<{
    guid: string
    division: string
    name: string
    teams: number
    matches: number
    divisions: number
  }>(sql`
    select b.guid, d.name as division, b.name,
      (select count(e.team_guid)::int from bracket_entrants e where e.bracket_guid = b.guid) as teams,
      (select count(*)::int from matches m
        where m.bracket_guid = b.guid and m.outcome is distinct from 'bye' and not m.conditional) as matches,
      (select count(*)::int from ${divisions} o where o.tournament_guid = ${tournamentGuid}) as divisions
    from brackets b join ${divisions} d on d.guid = b.division_guid
    where b.guid = any(${sql.param([...guids])}::uuid[])`)
  return new Map(
    rows.map(({ divisions: total, division, ...bracket }) => [
      bracket.guid,
      { ...bracket, division: total > 1 ? division : null },
    ]),
  )
}

/** The names of teams that are registered. */
export async function mapRegistered(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (guids.length === 0) return new Map()
  const rows = await db.session.orm
    .select({ guid: teams.guid, name: teams.name })
    .from(teams)
    .where(and(inArray(teams.guid, [...guids]), sql`${teams.status} <> 'unregistered'`))
  return new Map(rows.map(({ guid, name }) => [guid, name]))
}

export async function countRegistered(db: Db, tournamentGuid: string): Promise<number> {
  const [row] = await db.session.orm
    .select({ registered: tournamentCounts.registered })
    .from(tournamentCounts)
    .where(eq(tournamentCounts.tournamentGuid, tournamentGuid))
  return row?.registered ?? 0
}

/** The published pools, with the number of their released maps. */
export async function mapPools(
  db: Db,
  guids: readonly string[],
): Promise<ReadonlyMap<string, { readonly name: string; readonly maps: number }>> {
  if (guids.length === 0) return new Map()
  const rows = await db.session.orm
    .select({ guid: pools.guid, name: pools.name, maps: count(poolMaps.releasedAt) })
    .from(pools)
    .leftJoin(poolMaps, eq(poolMaps.poolGuid, pools.guid))
    .where(and(inArray(pools.guid, [...guids]), eq(pools.status, 'published')))
    .groupBy(pools.guid)
  return new Map(rows.map(({ guid, name, maps }) => [guid, { name, maps }]))
}

/** The streams that run, with who sends them and as what. */
export async function mapStreams(
  db: Db,
  guids: readonly string[],
): Promise<ReadonlyMap<string, { readonly name: string; readonly role: string | null }>> {
  if (guids.length === 0) return new Map()
  const rows = await db.session.orm
    .select({ guid: streamSessions.guid, name: users.preferredName, role: streamAssignments.role })
    .from(streamSessions)
    .innerJoin(users, eq(users.guid, streamSessions.userGuid))
    .leftJoin(streamAssignments, eq(streamAssignments.guid, streamSessions.assignmentGuid))
    .where(and(inArray(streamSessions.guid, [...guids]), isNull(streamSessions.endedAt)))
  return new Map(rows.map(({ guid, name, role }) => [guid, { name, role }]))
}

/** What a preview names: a match with both teams if there is one, two teams, and a pool. */
export async function listSamples(
  db: Db,
  tournamentGuid: string,
): Promise<{ readonly matchGuid: string | null; readonly teams: readonly string[]; readonly pool: string | null }> {
  const { rows } = await db.session.orm.execute<{ match: string | null; teams: string[]; pool: string | null }>(sql`
    select
      (select m.guid from ${matches} m where m.tournament_guid = ${tournamentGuid}
        order by (m.team1_guid is null or m.team2_guid is null), m.created_at, m.number limit 1) as match,
      array(select t.name from ${teams} t where t.tournament_guid = ${tournamentGuid}
        order by t.status = 'unregistered', t.created_at, t.guid limit 2) as teams,
      (select p.name from ${pools} p where p.tournament_guid = ${tournamentGuid} and p.status = 'published'
        order by p.order, p.guid limit 1) as pool`)
  const [row] = rows
  return { matchGuid: row?.match ?? null, teams: row?.teams ?? [], pool: row?.pool ?? null }
}
