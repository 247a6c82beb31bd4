import { sql } from 'drizzle-orm'
import { nameKeysOf } from '../../../../core/names.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { users } from '../../../people/users/tables.ts'
import { teamInvitations, teamMembers, teams } from '../tables.ts'
import type { Invitation, Team } from '../types.ts'

/** Many teams of a tournament at once, each step by one statement. Call them under the tournament's lock. */

export interface TeamOfMany
  extends Pick<Team, 'guid' | 'id' | 'name' | 'captainGuid' | 'status' | 'seed' | 'withdrawnAt'> {
  readonly members: readonly { readonly userGuid: string; readonly name: string; readonly isActive: boolean }[]
  /** Users with a pending invitation. */
  readonly invitedGuids: readonly string[]
}

/** Lists all teams of a tournament with their members, in the order in which they were made. */
export async function listTeamsOfMany(db: Db, tournamentGuid: string): Promise<readonly TeamOfMany[]> {
  const { rows } = await db.session.orm.execute<TeamOfMany & Record<string, unknown>>(sql`
    select t.guid, t.id, t.name, t.captain_guid as "captainGuid", t.status, t.seed, t.withdrawn_at as "withdrawnAt",
      coalesce(m.members, '[]') as members, coalesce(i.guids, '{}') as "invitedGuids"
    from ${teams} t
    left join (
      select m.team_guid, json_agg(json_build_object('userGuid', m.user_guid, 'name', u.preferred_name, 'isActive', m.is_active)
        order by m.joined_at, m.user_guid) as members
      from ${teamMembers} m join ${users} u on u.guid = m.user_guid
      where m.tournament_guid = ${tournamentGuid} group by m.team_guid) m on m.team_guid = t.guid
    left join (
      select team_guid, array_agg(user_guid) as guids from ${teamInvitations}
      where tournament_guid = ${tournamentGuid} and status = 'pending' group by team_guid) i on i.team_guid = t.guid
    where t.tournament_guid = ${tournamentGuid}
    order by t.created_at, t.guid`)
  return rows
}

export type TeamToInsert = Pick<Team, 'guid' | 'id' | 'name' | 'captainGuid' | 'seed'>

/** Inserts teams, in the order in which they are listed. */
export async function insertTeams(tx: Tx, tournamentGuid: string, made: readonly TeamToInsert[]): Promise<void> {
  if (made.length === 0) return
  const rows = made.map((team, index) => ({ ...team, ...nameKeysOf(team.name), age: made.length - index }))
  await tx.session.orm.execute(sql`
    insert into ${teams} (guid, tournament_guid, id, name, name_key, name_look, captain_guid, seed, created_at)
    select n.guid, ${tournamentGuid}, n.id, n.name, n."nameKey", n."nameLook", n."captainGuid", n.seed,
      local_now() - interval '1 millisecond' * n.age
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as n (guid uuid, id text, name text, "nameKey" text, "nameLook" text, "captainGuid" uuid, seed int, age int)`)
}

/** Changes names and seeds; null leaves a seed as it is. */
export async function updateTeams(
  tx: Tx,
  changed: readonly Pick<Team, 'guid' | 'name' | 'seed'>[],
  now: Date,
): Promise<void> {
  if (changed.length === 0) return
  const rows = changed.map((team) => ({ ...team, ...nameKeysOf(team.name) }))
  await tx.session.orm.execute(sql`
    update ${teams} t set name = n.name, name_key = n."nameKey", name_look = n."nameLook", seed = coalesce(n.seed, t.seed),
      updated_at = ${formatInstant(now)}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as n (guid uuid, name text, "nameKey" text, "nameLook" text, seed int)
    where t.guid = n.guid`)
}

export interface MemberToInsert {
  readonly teamGuid: string
  readonly userGuid: string
  readonly isActive: boolean
}

/** Inserts members; those of one team join in the order in which they are given. */
export async function insertMembers(tx: Tx, tournamentGuid: string, made: readonly MemberToInsert[]): Promise<void> {
  if (made.length === 0) return
  const rows = made.map((member, order) => ({ ...member, order }))
  await tx.session.orm.execute(sql`
    insert into ${teamMembers} (team_guid, tournament_guid, user_guid, is_active, joined_at)
    select n."teamGuid", ${tournamentGuid}, n."userGuid", n."isActive",
      local_now() + interval '1 millisecond' * (row_number() over (partition by n."teamGuid" order by n."order") - 1)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as n ("teamGuid" uuid, "userGuid" uuid, "isActive" boolean, "order" int)`)
}

export type InvitationToInsert = Pick<Invitation, 'guid' | 'teamGuid' | 'userGuid' | 'standInGuid'>

export async function insertInvitations(
  tx: Tx,
  tournamentGuid: string,
  invitedByGuid: string,
  made: readonly InvitationToInsert[],
): Promise<void> {
  if (made.length === 0) return
  await tx.session.orm
    .insert(teamInvitations)
    .values(made.map((invitation) => ({ ...invitation, tournamentGuid, invitedByGuid, byOrganiser: true })))
}

/** Registers teams with the given members active and all others substitutes. */
export async function registerTeams(
  tx: Tx,
  registered: readonly { readonly teamGuid: string; readonly activeGuids: readonly string[] }[],
  now: Date,
): Promise<void> {
  if (registered.length === 0) return
  const { orm } = tx.session
  const rows = JSON.stringify(registered)
  const at = formatInstant(now)
  await orm.execute(sql`
    update ${teams} t set status = 'registered', roster_locked = true, registered_at = ${at}::timestamptz, updated_at = ${at}::timestamptz
    from jsonb_to_recordset(${rows}::jsonb) as n ("teamGuid" uuid) where t.guid = n."teamGuid"`)
  await orm.execute(sql`
    update ${teamMembers} m set is_active = n."activeGuids" ? m.user_guid::text
    from jsonb_to_recordset(${rows}::jsonb) as n ("teamGuid" uuid, "activeGuids" jsonb)
    where m.team_guid = n."teamGuid" and m.is_active <> (n."activeGuids" ? m.user_guid::text)`)
}
