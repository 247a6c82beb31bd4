import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { eventLog } from '../../../../infra/events/tables.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { users } from '../../../people/users/tables.ts'
import { teamMembers } from '../../../teams/teams/tables.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import type { FinalRoster } from '../types.ts'

/**
 * The members of each placed team when it last played; for a team that never played, when the tournament was completed.
 * They are computed from the present members and the first change of each user since then, which the event log has: a
 * user who left was a member, and a user who joined was not. Deleted accounts are left out. (B5)
 */
export async function listFinalRosters(
  db: Db,
  { guid, placements, completedAt }: Pick<Tournament, 'guid' | 'placements' | 'completedAt'>,
): Promise<readonly FinalRoster[]> {
  if (placements.length === 0) return []
  const { rows } = await db.session.orm.execute<{ team: string; users: string[] }>(sql`
    with placed as (
      select p.team, coalesce((
          select max(m.completed_at) from ${matches} m
          where (m.team1_guid = p.team or m.team2_guid = p.team) and m.outcome in ('score', 'draw')),
        ${completedAt?.toISOString() ?? null}::timestamptz, now()) as at
      from unnest(${sql.param(placements.map(({ teamGuid }) => teamGuid))}::uuid[]) as p (team)),
    changes as (
      select distinct on (p.team, c.member) p.team, c.member, e.type <> 'team.member_joined' as was_in
      from ${eventLog} e
      join placed p on p.team = e.subject
      cross join lateral (select (coalesce(e.before, e.after) ->> 'userGuid')::uuid as member) c
      where e.tournament = ${guid} and e.at > p.at
        and e.type in ('team.member_joined', 'team.member_left', 'team.member_removed')
      order by p.team, c.member, e.seq),
    rosters as (
      select t.team_guid as team, t.user_guid as member, t.joined_at from ${teamMembers} t
      join placed p on p.team = t.team_guid
      where not exists (select from changes c where c.team = t.team_guid and c.member = t.user_guid)
      union all
      select c.team, c.member, null from changes c where c.was_in)
    select r.team, array_agg(r.member order by r.joined_at nulls last, r.member) as users from rosters r
    join ${users} u on u.guid = r.member and u.anonymised_at is null
    group by r.team`)
  const members = new Map(rows.map(({ team, users }) => [team, users]))
  return placements.map(({ place, teamGuid }) => ({ place, teamGuid, userGuids: members.get(teamGuid) ?? [] }))
}
