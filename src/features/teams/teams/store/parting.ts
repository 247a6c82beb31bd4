import { and, eq, inArray, sql } from 'drizzle-orm'
import { nameKeysOf } from '../../../../core/names.ts'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { users } from '../../../people/users/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import type { TournamentStatus } from '../../../tournaments/tournaments/types.ts'
import type { Leaver, TeamOfLeaver } from '../rules/leaving.ts'
import { teamInvitations, teamMembers, teams } from '../tables.ts'

/** Changes teams when one of their members deletes their account. Each step is one statement for all teams. */

/** Lists the teams that the leaver is in, and teams whose short id contains their chat-platform ID. */
export async function listTeamsOfLeaver(db: Db, leaver: Leaver): Promise<TeamOfLeaver[]> {
  const { guid } = leaver
  const teamGuids = await listGuidsOfTeams(db, leaver)
  return db.session.orm
    .select({
      team: {
        guid: teams.guid,
        tournamentGuid: teams.tournamentGuid,
        id: teams.id,
        name: teams.name,
        status: teams.status,
        captainGuid: teams.captainGuid,
      },
      tournamentStatus: sql<TournamentStatus>`${tournaments.status}`,
      isActive: sql<
        boolean | null
      >`(select m.is_active from ${teamMembers} m where m.team_guid = ${teams.guid} and m.user_guid = ${guid})`,
      memberGuids: sql<string[]>`array(select m.user_guid from ${teamMembers} m where m.team_guid = ${teams.guid})`,
      successorGuid: sql<string | null>`(
        select m.user_guid from ${teamMembers} m join ${users} u on u.guid = m.user_guid
        where m.team_guid = ${teams.guid} and m.user_guid <> ${guid} and u.anonymised_at is null
        order by u.banned_at is not null, m.joined_at, m.user_guid limit 1)`,
    })
    .from(teams)
    .innerJoin(tournaments, eq(tournaments.guid, teams.tournamentGuid))
    .where(sql`${teams.guid} = any(${sql.param(teamGuids)}::uuid[])`)
    .orderBy(teams.guid)
}

/** Reads the GUIDs first: if the planner had to guess their number, it would read all teams. */
async function listGuidsOfTeams(db: Db, { guid, chatPlatformId }: Leaver): Promise<string[]> {
  const { rows } = await db.session.orm.execute<{ guid: string }>(sql`
    select m.team_guid as guid from ${teamMembers} m where m.user_guid = ${guid}
    union
    select t.guid from ${teams} t where t.id = ${chatPlatformId}
    union
    select t.guid from ${teams} t where t.id ~>=~ (${chatPlatformId} || '-') and t.id ~<~ (${chatPlatformId} || '.')`)
  return rows.map((row) => row.guid)
}

export async function deleteMemberships(tx: Tx, userGuid: string, teamGuids: readonly string[]): Promise<void> {
  await tx.session.orm
    .delete(teamMembers)
    .where(and(eq(teamMembers.userGuid, userGuid), inArray(teamMembers.teamGuid, [...teamGuids])))
}

export async function deleteTeams(tx: Tx, teamGuids: readonly string[]): Promise<void> {
  await tx.session.orm.delete(teams).where(inArray(teams.guid, [...teamGuids]))
}

/** Deletes all invitations to the user, pending or not. */
export async function deleteInvitationsTo(tx: Tx, userGuid: string): Promise<void> {
  await tx.session.orm.delete(teamInvitations).where(eq(teamInvitations.userGuid, userGuid))
}

/** The new captain, id and name of a team; null keeps the current value. */
export interface TeamFate {
  readonly teamGuid: string
  readonly captainGuid: string | null
  readonly id: string | null
  readonly name: string | null
  /** Replaces `name` if another team of the tournament has that name. */
  readonly longName: string | null
}

export async function updateTeams(tx: Tx, fates: readonly TeamFate[], now: Date): Promise<void> {
  const rows = fates.map(({ name, longName, ...fate }) => ({ ...fate, short: named(name), long: named(longName) }))
  await tx.session.orm.execute(sql`
    update ${teams} t set
      captain_guid = coalesce(f."captainGuid", t.captain_guid),
      id = coalesce(f.id, t.id),
      name = coalesce(chosen.name, t.name),
      name_key = coalesce(chosen."nameKey", t.name_key),
      name_look = coalesce(chosen."nameLook", t.name_look),
      pronunciation = case when chosen.name is null then t.pronunciation end,
      updated_at = ${now.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as f ("teamGuid" uuid, "captainGuid" uuid, id text, short jsonb, long jsonb)
    join ${teams} o on o.guid = f."teamGuid"
    cross join lateral jsonb_to_record(case when exists (
        select from ${teams} other where other.tournament_guid = o.tournament_guid
          and (other.name_key = f.short ->> 'nameKey' or other.name_look = f.short ->> 'nameLook'))
      then f.long else f.short end) as chosen (name text, "nameKey" text, "nameLook" text)
    where t.guid = f."teamGuid"`)
}

function named(name: string | null) {
  return name === null ? {} : { name, ...nameKeysOf(name) }
}
