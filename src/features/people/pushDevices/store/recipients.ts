import { sql } from 'drizzle-orm'
import { isRehearsed, placeOf } from '../../../../infra/clock/store.ts'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { matches, matchOfficials } from '../../../brackets/matches/tables.ts'
import { flowRows, flowSessions } from '../../../flows/flowSessions/tables.ts'
import {
  availabilityResponses,
  availabilitySheets,
  availabilityTeamResponses,
} from '../../../planning/availability/tables.ts'
import { teamMembers, teams } from '../../../teams/teams/tables.ts'
import { tournamentRoleHolders } from '../../../tournaments/access/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { pushDevices } from '../tables.ts'

/** Finds the recipients for many records at once: only users with a device, who are few. */

/** A user who is concerned by a record. */
export interface Concerned {
  /** GUID of the record. */
  readonly subject: string
  readonly userGuid: string
}

const guids = sql`${sql.placeholder('guids')}::uuid[]`
const columns = { subject: sql<string>`c.subject`, userGuid: sql<string>`c.user_guid` }
/** In a rehearsal, what everybody would be told is recorded. (R3) */
const hasDevice = sql`(${isRehearsed} or exists (select from ${pushDevices} d where d.user_guid = c.user_guid))`

const players = statement('push_devices.players', (orm) =>
  orm
    .selectDistinct(columns)
    .from(
      sql`(select ${matches.guid} as subject, ${teamMembers.userGuid} as user_guid
        from ${matches} join ${teamMembers} on ${teamMembers.teamGuid} in (${matches.team1Guid}, ${matches.team2Guid})
        where ${matches.guid} = any(${guids}) and ${teamMembers.isActive}) c`,
    )
    .where(hasDevice),
)

/** Lists the active members of the teams of matches. */
export async function listPlayers(db: Db, matchGuids: readonly string[]): Promise<Concerned[]> {
  return matchGuids.length === 0 ? [] : players(db, { guids: matchGuids })
}

const officials = statement('push_devices.officials', (orm) =>
  orm
    .selectDistinct(columns)
    .from(
      sql`(select ${matchOfficials.matchGuid} as subject, ${matchOfficials.userGuid} as user_guid, ${matchOfficials.role} as role
        from ${matchOfficials} where ${matchOfficials.matchGuid} = any(${guids})) c`,
    )
    .where(
      sql`${hasDevice} and (cardinality(${sql.placeholder('roles')}::text[]) = 0 or c.role = any(${sql.placeholder('roles')}::text[]))`,
    ),
)

/** Lists those who work at matches, in any role or in one of some roles. */
export async function listOfficials(
  db: Db,
  matchGuids: readonly string[],
  roles: readonly string[] = [],
): Promise<Concerned[]> {
  return matchGuids.length === 0 ? [] : officials(db, { guids: matchGuids, roles })
}

/** The same rules as `rolesToAnswer` and `isEligible`. */
const unanswered = statement('push_devices.unanswered', (orm) =>
  orm
    .selectDistinct(columns)
    .from(
      sql`(
        select ${availabilitySheets.guid} as subject, ${tournamentRoleHolders.userGuid} as user_guid
        from ${availabilitySheets} join ${tournamentRoleHolders}
          on ${tournamentRoleHolders.tournamentGuid} = ${availabilitySheets.tournamentGuid}
          and (cardinality(${availabilitySheets.roles}) = 0 or ${tournamentRoleHolders.role} = any(${availabilitySheets.roles}))
        where ${availabilitySheets.guid} = any(${guids}) and ${availabilitySheets.audience} = 'staff'
          and not exists (select from ${availabilityResponses} a
            where a.sheet_guid = ${availabilitySheets.guid} and a.user_guid = ${tournamentRoleHolders.userGuid})
        union all
        select ${availabilitySheets.guid}, ${teams.captainGuid}
        from ${availabilitySheets} join ${teams} on ${teams.tournamentGuid} = ${availabilitySheets.tournamentGuid}
          and case ${availabilitySheets.teamEligibility} when 'both' then ${teams.status} in ('registered', 'qualified')
            else ${teams.status} = ${availabilitySheets.teamEligibility} end
        where ${availabilitySheets.guid} = any(${guids}) and ${availabilitySheets.audience} = 'teams'
          and not exists (select from ${availabilityTeamResponses} a
            where a.sheet_guid = ${availabilitySheets.guid} and a.team_guid = ${teams.guid})
      ) c`,
    )
    .where(hasDevice),
)

/** Lists the users that sheets ask and who have not answered: holders of roles, and captains for their teams. */
export async function listUnanswered(db: Db, sheetGuids: readonly string[]): Promise<Concerned[]> {
  return unanswered(db, { guids: sheetGuids })
}

const tooSmall = statement('push_devices.too_small', (orm) =>
  orm
    .selectDistinct(columns)
    .from(
      sql`(select ${teams.guid} as subject, ${teams.captainGuid} as user_guid
        from ${teams} join ${tournaments} on ${tournaments.guid} = ${teams.tournamentGuid}
        where ${teams.guid} = any(${guids}) and ${teams.status} in ('registered', 'qualified')
          and ${tournaments.status} in ('approved', 'ongoing')
          and (select count(*) from ${teamMembers} m where m.team_guid = ${teams.guid}) < ${tournaments.teamSizeMin}) c`,
    )
    .where(hasDevice),
)

/** Lists the captains of those registered teams that have fewer members than their tournament requires. */
export async function listCaptainsOfSmallTeams(db: Db, teamGuids: readonly string[]): Promise<Concerned[]> {
  return teamGuids.length === 0 ? [] : tooSmall(db, { guids: teamGuids })
}

/** A row of a session that may concern its other seats. */
export interface SessionRow {
  readonly sessionGuid: string
  readonly tournamentGuid: string
  readonly matchGuid: string | null
  readonly position: number
  readonly kind: string
  readonly seat: number | null
  /** GUIDs by seat. */
  readonly speakers: readonly (readonly string[])[]
  /** The seats that have done the same in this step. */
  readonly done: readonly number[]
}

const rowsByPlace = statement('push_devices.session_rows', (orm) =>
  orm
    .select({
      sessionGuid: flowSessions.guid,
      tournamentGuid: flowSessions.tournamentGuid,
      matchGuid: flowSessions.matchGuid,
      position: flowRows.position,
      kind: flowRows.kind,
      seat: flowRows.seat,
      speakers: flowSessions.speakers,
      done: sql<number[]>`array(select r.seat from ${flowRows} r where r.session_guid = ${flowSessions.guid}
        and r.kind = ${flowRows.kind} and r.step is not distinct from ${flowRows.step} and r.seat is not null
        and r.undone_by is null and ${flowRows.kind} in ('present', 'ready'))`,
    })
    .from(
      sql`unnest(${sql.placeholder('sessions')}::uuid[], ${sql.placeholder('positions')}::int[]) as place (session, position)`,
    )
    .innerJoin(flowRows, sql`${flowRows.sessionGuid} = place.session and ${flowRows.position} = place.position`)
    .innerJoin(flowSessions, sql`${flowSessions.guid} = ${flowRows.sessionGuid}`)
    .where(
      sql`${flowRows.undoneBy} is null and ${flowSessions.status} = 'running'
        and (${flowRows.kind} in ('present', 'ready')
          or ${flowRows.kind} = 'scores' and (${flowRows.data} ->> 'complete')::boolean)`,
    ),
)

/** Finds those rows of sessions by which a seat reports that it is there or ready, or which complete a run. */
export async function listSessionRows(
  db: Db,
  places: readonly { readonly session: string; readonly position: number }[],
): Promise<SessionRow[]> {
  if (places.length === 0) return []
  return rowsByPlace(db, {
    sessions: places.map(({ session }) => session),
    positions: places.map(({ position }) => position),
  })
}

const holders = statement('push_devices.holders', (orm) =>
  orm
    .selectDistinct({ userGuid: pushDevices.userGuid })
    .from(pushDevices)
    .where(sql`${pushDevices.userGuid} = any(${guids})`),
)

/** Those of some users who have a device. */
export async function listHolders(db: Db, users: readonly string[]): Promise<string[]> {
  if (placeOf(db) !== null) return [...new Set(users)]
  return (await holders(db, { guids: [...new Set(users)] })).map(({ userGuid }) => userGuid)
}
