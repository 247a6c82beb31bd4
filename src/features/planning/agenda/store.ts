import { and, eq, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../infra/db/database.ts'
import { brackets, divisions } from '../../brackets/brackets/tables.ts'
import { lastRoundOf, matches, matchOfficials } from '../../brackets/matches/tables.ts'
import { qualifiers } from '../../brackets/qualifiers/tables.ts'
import { streamAssignments } from '../../streaming/streamAssignments/tables.ts'
import { teamColumns } from '../../teams/teams/store/teams.ts'
import { teamMembers, teams } from '../../teams/teams/tables.ts'
import { isSeenBy, tournamentRoleHolders } from '../../tournaments/access/tables.ts'
import { viewerColumns } from '../../tournaments/tournaments/store/tournaments.ts'
import { tournamentCounts, tournaments } from '../../tournaments/tournaments/tables.ts'
import { availabilityResponses, availabilitySheets, availabilityTeamResponses } from '../availability/tables.ts'
import type { Asked } from './rules.ts'
import type { OpenSheet, OwnMatch, OwnStream, Place } from './types.ts'

/** Each statement finds its rows by an index on the user, on their teams, or on their tournaments. */

const user = sql`${sql.placeholder('viewer')}::uuid`
const from = sql`${sql.placeholder('from')}::timestamptz`
const to = sql`${sql.placeholder('to')}::timestamptz`
const maxPlaces = 100
const maxMatches = 300
const maxStreams = 100
const maxSheets = 300

const isRunning = sql`${tournaments.status} in ('draft', 'approved', 'ongoing')`

const noText = sql<null>`null`

const places = statement('agenda.places', (orm) =>
  orm
    .select({
      tournament: { ...viewerColumns.tournament, description: noText, rules: noText, prizes: noText },
      registered: tournamentCounts.registered,
      isOrganiser: sql<boolean>`${tournaments.organiserGuid} = ${user}`,
      roles: viewerColumns.roles,
      team: teamColumns,
      qualifier: {
        status: qualifiers.status,
        openedAt: qualifiers.openedAt,
        opensAt: qualifiers.opensAt,
        closesAt: qualifiers.closesAt,
      },
    })
    .from(tournaments)
    .innerJoin(tournamentCounts, eq(tournamentCounts.tournamentGuid, tournaments.guid))
    .leftJoin(teamMembers, and(eq(teamMembers.tournamentGuid, tournaments.guid), eq(teamMembers.userGuid, user)))
    .leftJoin(teams, eq(teams.guid, teamMembers.teamGuid))
    .leftJoin(qualifiers, eq(qualifiers.tournamentGuid, tournaments.guid))
    .where(
      and(
        sql`${tournaments.guid} in (
          select tournament_guid from ${teamMembers} where user_guid = ${user}
          union select tournament_guid from ${tournamentRoleHolders} where user_guid = ${user}
          union select guid from ${tournaments} where organiser_guid = ${user}
          union select m.tournament_guid from ${matchOfficials} o join ${matches} m on m.guid = o.match_guid
            where o.user_guid = ${user}
          union select tournament_guid from ${streamAssignments} where user_guid = ${user} and ends_at >= ${from})`,
        isRunning,
        isSeenBy(user),
      ),
    )
    .orderBy(tournaments.startsAt, tournaments.guid)
    .limit(maxPlaces),
)

/** Lists the tournaments that are not over and in which the user plays or works, those that start first. */
export async function listPlaces(db: Db, userGuid: string, { window }: Asked): Promise<Place[]> {
  return places(db, { viewer: userGuid, from: window.from.toISOString() })
}

const listedTournament = {
  guid: tournaments.guid,
  id: tournaments.id,
  name: tournaments.name,
  imageUrl: tournaments.imageUrl,
  timezone: tournaments.timezone,
}

const ofTeams = (side: 'team1_guid' | 'team2_guid') => sql`
  select guid, ${sql.identifier(side)} as team_guid, null as role from ${matches}
  where ${sql.identifier(side)} = any(${sql.placeholder('teams')}::uuid[])`

const ownMatches = statement('agenda.matches', (orm) =>
  orm
    .select({
      teamGuid: sql<string | null>`mine.team_guid`,
      role: sql<OwnMatch['role']>`mine.role`,
      at: sql<Date>`coalesce(${matches.scheduledAt}, ${matches.startedAt}, ${matches.createdAt})`.mapWith(
        matches.createdAt,
      ),
      guid: matches.guid,
      tournament: listedTournament,
      division: { guid: divisions.guid, id: divisions.id, name: divisions.name },
      bracket: { guid: brackets.guid, name: brackets.name },
      format: brackets.format,
      lastRound: lastRoundOf(sql`${brackets.guid}`, sql`${matches.section}`),
      number: matches.number,
      section: matches.section,
      round: matches.round,
      status: matches.status,
      outcome: matches.outcome,
      team1Guid: matches.team1Guid,
      team2Guid: matches.team2Guid,
      sides: matches.sides,
      bestOf: matches.bestOf,
      scheduledAt: matches.scheduledAt,
      startedAt: matches.startedAt,
      completedAt: matches.completedAt,
      streamUrl: matches.streamUrl,
      vodUrl: matches.vodUrl,
    })
    .from(
      sql`(${ofTeams('team1_guid')} union ${ofTeams('team2_guid')}
        union select match_guid, null, role from ${matchOfficials} where user_guid = ${user}) mine`,
    )
    .innerJoin(matches, sql`${matches.guid} = mine.guid`)
    .innerJoin(tournaments, eq(tournaments.guid, matches.tournamentGuid))
    .innerJoin(divisions, eq(divisions.guid, matches.divisionGuid))
    .innerJoin(brackets, eq(brackets.guid, matches.bracketGuid))
    .where(
      sql`${matches.status} <> 'cancelled' and (${isRunning} or ${tournaments.guid} = any(${sql.placeholder('places')}::uuid[]))
        and ${isSeenBy(user)} and (${matches.scheduledAt} between ${from} and ${to}
          or ${sql.placeholder('hasNow')}::bool
            and (${matches.status} = 'running' or ${matches.status} in ('ready', 'waiting') and ${matches.scheduledAt} is null))`,
    )
    .orderBy(
      sql`${matches.scheduledAt} is null and ${matches.status} = 'waiting'`,
      sql`${matches.scheduledAt} nulls first`,
      matches.createdAt,
      matches.number,
      matches.guid,
      sql`mine.role`,
    )
    .limit(maxMatches),
)

/**
 * Lists the matches of the teams and those at which the user works: in the period, and, if the present is in it, those
 * that are running, and those that have no time and are ready, or wait for their other side.
 * @param own the user's tournaments that are not over, also where that is not shown yet
 */
export async function listOwnMatches(
  db: Db,
  userGuid: string,
  own: readonly Place[],
  { window, hasNow }: Asked,
): Promise<OwnMatch[]> {
  const teamGuids = own.flatMap(({ team }) => (team === null ? [] : [team.guid]))
  const placeGuids = own.map(({ tournament }) => tournament.guid)
  return ownMatches(db, { viewer: userGuid, teams: teamGuids, places: placeGuids, hasNow, ...boundsOf(window) })
}

const ownStreams = statement('agenda.streams', (orm) =>
  orm
    .select({
      guid: streamAssignments.guid,
      role: streamAssignments.role,
      startsAt: streamAssignments.startsAt,
      endsAt: streamAssignments.endsAt,
      matchGuid: streamAssignments.matchGuid,
      tournament: listedTournament,
    })
    .from(streamAssignments)
    .innerJoin(tournaments, eq(tournaments.guid, streamAssignments.tournamentGuid))
    .where(
      sql`${streamAssignments.userGuid} = ${user} and ${streamAssignments.endsAt} >= ${from}
        and ${streamAssignments.startsAt} <= ${to} and ${streamAssignments.cancelledAt} is null
        and ${isRunning} and ${isSeenBy(user)}`,
    )
    .orderBy(streamAssignments.startsAt, streamAssignments.guid)
    .limit(maxStreams),
)

export async function listOwnStreams(db: Db, userGuid: string, { window }: Asked): Promise<OwnStream[]> {
  return ownStreams(db, { viewer: userGuid, ...boundsOf(window) })
}

const openSheets = statement('agenda.sheets', (orm) =>
  orm
    .select({
      guid: availabilitySheets.guid,
      tournamentGuid: availabilitySheets.tournamentGuid,
      audience: availabilitySheets.audience,
      teamEligibility: availabilitySheets.teamEligibility,
      roles: availabilitySheets.roles,
      title: availabilitySheets.title,
      closesAt: availabilitySheets.closesAt,
      answeredByUser: sql<boolean>`exists (select from ${availabilityResponses} r
        where r.sheet_guid = ${availabilitySheets}.guid and r.user_guid = ${user})`,
      answeredByTeam: sql<boolean>`exists (select from ${availabilityTeamResponses} r
        where r.sheet_guid = ${availabilitySheets}.guid and r.team_guid = any(${sql.placeholder('teams')}::uuid[]))`,
    })
    .from(availabilitySheets)
    .where(
      sql`${availabilitySheets.tournamentGuid} = any(${sql.placeholder('tournaments')}::uuid[])
        and (${availabilitySheets.closesAt} is null
          or ${availabilitySheets.closesAt} > greatest(${from}, ${sql.placeholder('now')}::timestamptz))`,
    )
    .orderBy(availabilitySheets.closesAt, availabilitySheets.createdAt, availabilitySheets.guid)
    .limit(maxSheets),
)

/** Lists the open sheets of the tournaments, those that close first. The policy decides which of them ask the user. */
export async function listOpenSheets(
  db: Db,
  userGuid: string,
  own: readonly Place[],
  { window }: Asked,
  now: Date,
): Promise<OpenSheet[]> {
  if (own.length === 0) return []
  return openSheets(db, {
    viewer: userGuid,
    tournaments: own.map(({ tournament }) => tournament.guid),
    teams: own.flatMap(({ team }) => (team === null ? [] : [team.guid])),
    from: window.from.toISOString(),
    now: now.toISOString(),
  })
}

function boundsOf(window: Asked['window']) {
  return { from: window.from.toISOString(), to: window.to.toISOString() }
}
