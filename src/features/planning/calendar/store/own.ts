import { type SQL, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { isScheduled, matches, matchOfficials, shownFrom } from '../../../brackets/matches/tables.ts'
import { streamAssignments } from '../../../streaming/streamAssignments/tables.ts'
import { teamMembers, teams } from '../../../teams/teams/tables.ts'
import { isSeenBy, tournamentRoleHolders } from '../../../tournaments/access/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { availabilitySheets } from '../../availability/tables.ts'
import type { OwnFacts, OwnKind, Window } from '../types.ts'
import { team1, team2, tournamentColumns } from './columns.ts'
import { courseColumns, courseOf } from './sides.ts'

/**
 * The matches, duties and deadlines of one user. Each part is found by an index on the user; together they have some
 * hundreds of rows.
 */

const user = sql`${sql.placeholder('userGuid')}::uuid`
const from = sql`${sql.placeholder('from')}::timestamptz`
const to = sql`${sql.placeholder('to')}::timestamptz`

/** The maximum number of entries in a user's calendar; the earliest ones are shown. */
export const maxOwnEntries = 500

interface Part {
  readonly kind: 'match' | OwnKind
  readonly guid: SQL
  readonly match: SQL
  readonly role: SQL
  readonly start: SQL
  readonly end: SQL
}

function part({ kind, guid, match, role, start, end }: Part, tables: SQL): SQL {
  return sql`(select ${sql.raw(`'${kind}'`)} as kind, ${guid} as guid, ${match} as match_guid, ${role} as role,
    ${start} as starts_at, ${end} as ends_at from ${tables})`
}

const noText = sql`''`
const never = sql`null::timestamptz`
const isOn = sql`${isScheduled(matches)} and ${shownFrom(matches)} between ${from} and ${to}`
const played: Part = {
  kind: 'match',
  guid: sql`${matches.guid}`,
  match: sql`${matches.guid}`,
  role: noText,
  start: shownFrom(matches),
  end: never,
}

const ofTeam = (side: SQL) =>
  part(
    played,
    sql`${teamMembers} join ${matches} on ${side} = ${teamMembers.teamGuid} where ${teamMembers.userGuid} = ${user} and ${isOn}`,
  )

const duties = part(
  { ...played, kind: 'duty', role: sql`${matchOfficials.role}` },
  sql`${matchOfficials} join ${matches} on ${matches.guid} = ${matchOfficials.matchGuid}
    where ${matchOfficials.userGuid} = ${user} and ${isOn}`,
)

const streams = part(
  {
    kind: 'stream',
    guid: sql`${streamAssignments.guid}`,
    match: sql`${streamAssignments.matchGuid}`,
    role: sql`${streamAssignments.role}`,
    start: sql`${streamAssignments.startsAt}`,
    end: sql`${streamAssignments.endsAt}`,
  },
  sql`${streamAssignments} where ${streamAssignments.userGuid} = ${user} and ${streamAssignments.endsAt} >= ${from}
    and ${streamAssignments.startsAt} <= ${to} and ${streamAssignments.cancelledAt} is null`,
)

const sheet: Part = {
  kind: 'sheet',
  guid: sql`${availabilitySheets.guid}`,
  match: sql`null::uuid`,
  role: noText,
  start: sql`${availabilitySheets.closesAt}`,
  end: never,
}
const closes = sql`${availabilitySheets.closesAt} between ${from} and ${to}`

/** The same rule as `rolesToAnswer`: a sheet that names no role asks all roles. */
const sheetsOfStaff = part(
  sheet,
  sql`${tournamentRoleHolders}
    join ${availabilitySheets} on ${availabilitySheets.tournamentGuid} = ${tournamentRoleHolders.tournamentGuid}
    where ${tournamentRoleHolders.userGuid} = ${user} and ${closes} and ${availabilitySheets.audience} = 'staff'
      and (cardinality(${availabilitySheets.roles}) = 0 or ${tournamentRoleHolders.role} = any(${availabilitySheets.roles}))`,
)

/** The same rule as `isEligible`, for the team that the user captains. */
const sheetsOfTeams = part(
  sheet,
  sql`${teams} join ${availabilitySheets} on ${availabilitySheets.tournamentGuid} = ${teams.tournamentGuid}
    where ${teams.captainGuid} = ${user} and ${closes} and ${availabilitySheets.audience} = 'teams'
      and case ${availabilitySheets.teamEligibility} when 'both' then ${teams.status} <> 'unregistered'
        else ${teams.status} = ${availabilitySheets.teamEligibility} end`,
)

const own = statement('calendar.own', (orm) =>
  orm
    .select({
      kind: sql<OwnFacts['kind']>`mine.kind`,
      guid: sql<string>`mine.guid`,
      role: sql<string>`mine.role`,
      title: availabilitySheets.title,
      startsAt: sql<Date>`mine.starts_at`.mapWith(matches.scheduledAt),
      endsAt: sql<Date | null>`mine.ends_at`.mapWith(matches.scheduledAt),
      plannedAt:
        sql<Date>`case when mine.kind in ('match', 'duty') then ${matches.scheduledAt} else mine.starts_at end`.mapWith(
          matches.scheduledAt,
        ),
      matchGuid: matches.guid,
      ...courseColumns((name) => sql`${matches}.${sql.identifier(name)}`),
      team1: team1.name,
      team2: team2.name,
      updatedAt:
        sql<Date>`greatest(${matches.updatedAt}, ${team1.updatedAt}, ${team2.updatedAt}, ${streamAssignments.updatedAt}, ${availabilitySheets.updatedAt})`.mapWith(
          matches.updatedAt,
        ),
      tournament: tournamentColumns,
    })
    // `union` removes rows that are found twice, such as a sheet by two roles.
    .from(
      sql`(${sql.join(
        [
          ofTeam(sql`${matches.team1Guid}`),
          ofTeam(sql`${matches.team2Guid}`),
          duties,
          streams,
          sheetsOfStaff,
          sheetsOfTeams,
        ],
        sql` union `,
      )}) mine`,
    )
    .leftJoin(matches, sql`${matches.guid} = mine.match_guid`)
    .leftJoin(team1, sql`${team1.guid} = ${matches.team1Guid}`)
    .leftJoin(team2, sql`${team2.guid} = ${matches.team2Guid}`)
    .leftJoin(streamAssignments, sql`mine.kind = 'stream' and ${streamAssignments.guid} = mine.guid`)
    .leftJoin(availabilitySheets, sql`mine.kind = 'sheet' and ${availabilitySheets.guid} = mine.guid`)
    .innerJoin(
      tournaments,
      sql`${tournaments.guid} =
        coalesce(${streamAssignments.tournamentGuid}, ${availabilitySheets.tournamentGuid}, ${matches.tournamentGuid})`,
    )
    .where(isSeenBy(user))
    .orderBy(sql`mine.starts_at`, sql`mine.guid`, sql`mine.kind`, sql`mine.role`)
    .limit(maxOwnEntries),
)

/**
 * Lists the user’s matches, duties and deadlines that overlap the window and that the user may see, ordered by start.
 */
export async function listOwn(db: Db, userGuid: string, { from, to }: Window): Promise<OwnFacts[]> {
  const rows = await own(db, { userGuid, from: from.toISOString(), to: to.toISOString() })
  return rows.map(({ matchGuid, ...row }) => {
    const { kind, guid, role, title, startsAt, endsAt, plannedAt, updatedAt, tournament } = row
    const match = matchGuid === null ? null : courseOf(row)
    return { kind, guid, role, title, startsAt, endsAt, plannedAt, updatedAt, tournament, match, matchGuid }
  })
}
