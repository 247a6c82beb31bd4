import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { qualifierAttempts, qualifierMaps, qualifiers } from '../../../brackets/qualifiers/tables.ts'
import { teamMembers, teams } from '../../../teams/teams/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { nothingPlayed } from '../rules.ts'
import type { Identity, Tally } from '../types.ts'

/**
 * What was played on each of the maps, by their GUIDs, in public tournaments or in one of them. What sessions of matches tell
 * is added here. (pools: Archive)
 */
export async function tallyMaps(
  db: Db,
  maps: readonly Identity[],
  tournamentGuid: string | null,
): Promise<ReadonlyMap<string, Tally>> {
  const scored = await tallyQualifiers(db, maps, tournamentGuid)
  return new Map(maps.map(({ guid }) => [guid, { ...nothingPlayed, ...scored.get(guid) }]))
}

type Scored = Pick<Tally, 'scores' | 'accuracies' | 'accuracySum'>

/** As final boards count: of each player in a team that takes part, the best attempt on a map. (additions: Details 10) */
async function tallyQualifiers(
  db: Db,
  maps: readonly Identity[],
  tournamentGuid: string | null,
): Promise<ReadonlyMap<string, Scored>> {
  if (maps.length === 0) return new Map()
  const { rows } = await db.session.orm.execute<Scored & { guid: string }>(sql`
    select best.guid, count(*)::integer as scores, count(best.accuracy)::integer as accuracies,
      coalesce(sum(best.accuracy), 0)::float8 as "accuracySum"
    from (
      select distinct on (wanted.guid, a.map_guid, a.user_guid) wanted.guid,
        coalesce(a.accuracy, a.score::float8 / nullif(m.max_score, 0)) as accuracy
      from jsonb_to_recordset(${JSON.stringify(maps)}::jsonb) as wanted (guid uuid, hash text, characteristic text, difficulty text)
      join ${qualifierMaps} m on m.hash = wanted.hash and lower(m.characteristic) = lower(wanted.characteristic)
        and lower(m.difficulty) = lower(wanted.difficulty)
      join ${qualifiers} q on q.guid = m.qualifier_guid and q.status = 'final'
      join ${tournaments} t on t.guid = q.tournament_guid and t.status <> 'draft'
        and not (t.status = 'cancelled' and t.approved_at is null)
      join ${qualifierAttempts} a on a.map_guid = m.guid and a.voided_at is null
        and (a.completion = 'passed' or (a.completion = 'failed' and (q.settings->>'failCounts')::boolean))
      where (${tournamentGuid}::uuid is null or t.guid = ${tournamentGuid}::uuid)
        and exists (
          select from ${teamMembers} tm join ${teams} on ${teams.guid} = tm.team_guid
          where tm.user_guid = a.user_guid and tm.tournament_guid = t.guid and ${teams.status} in ('registered', 'qualified')
            and ${teams.withdrawnAt} is null)
      order by wanted.guid, a.map_guid, a.user_guid, a.score desc,
        coalesce(a.accuracy, a.score::float8 / nullif(m.max_score, 0)) desc nulls last
    ) best
    group by best.guid`)
  return new Map(rows.map(({ guid, ...scored }) => [guid, scored]))
}
