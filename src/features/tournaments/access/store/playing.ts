import { sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { teamMembers, teams } from '../../../teams/teams/tables.ts'
import { tournaments } from '../../tournaments/tables.ts'
import { tournamentRoleHolders as holders } from '../tables.ts'

const playing = statement('access.playing_poolers', (orm) => {
  const tournament = sql`${sql.placeholder('tournamentGuid')}::uuid`
  const plays = sql`
    select from ${teams} t where t.tournament_guid = ${tournament} and t.status in ('registered', 'qualified')
      and (t.captain_guid = u.guid or exists (
        select from ${teamMembers} m where m.team_guid = t.guid and m.user_guid = u.guid))`
  const pools = sql`
    select from ${holders} h where h.tournament_guid = ${tournament} and h.user_guid = u.guid
      and h.role in ('role:admin', 'role:hpooler', 'role:pooler')`
  const organises = sql`
    select from ${tournaments} o where o.guid = ${tournament} and o.organiser_guid = u.guid`
  return orm
    .select({ guid: sql<string>`u.guid` })
    .from(sql`unnest(${sql.placeholder('userGuids')}::uuid[]) as u (guid)`)
    .where(sql`exists (${plays}) and (exists (${pools}) or exists (${organises}))`)
})

/**
 * Returns which of these users hold a pooling role and play in a registered team of the tournament.
 * (pools: Who may do what)
 */
export async function listPlayingPoolers(
  db: Db,
  tournamentGuid: string,
  userGuids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userGuids.length === 0) return new Set()
  const rows = await playing(db, { tournamentGuid, userGuids: [...new Set(userGuids)] })
  return new Set(rows.map(({ guid }) => guid))
}
