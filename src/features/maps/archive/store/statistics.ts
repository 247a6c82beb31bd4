import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { qualifierAttempts, qualifierMaps, qualifiers } from '../../../brackets/qualifiers/tables.ts'
import { flowMapResults, flowSessions } from '../../../flows/flowSessions/tables.ts'
import { teamMembers, teams } from '../../../teams/teams/tables.ts'
import { isSeenByAllAsT, tournaments } from '../../../tournaments/tournaments/tables.ts'
import { nothingPlayed, sumOf } from '../rules.ts'
import type { Identity, Tally } from '../types.ts'

/** Returns the tallies of maps over all public tournaments, by map GUID. (pools: Archive) */
export async function tallyMaps(db: Db, maps: readonly Identity[]): Promise<ReadonlyMap<string, Tally>> {
  const guids = maps.map(({ guid }) => guid)
  const [played, scored] = await Promise.all([tallySessions(db, 'map_guid', guids), tallyQualifiers(db, maps, null)])
  return new Map(
    guids.map((guid) => [guid, sumOf([played.get(guid), scored.get(guid)].flatMap((tally) => tally ?? []))]),
  )
}

/**
 * Returns the tallies of the maps of a pool, by their GUIDs in the pool: from the sessions that used the pool, and from
 * the qualifier of its tournament.
 */
export async function tallyPoolMaps(
  db: Db,
  maps: readonly (Identity & { readonly poolMapGuid: string })[],
  tournamentGuid: string,
): Promise<ReadonlyMap<string, Tally>> {
  const guids = maps.map(({ poolMapGuid }) => poolMapGuid)
  const [played, scored] = await Promise.all([
    tallySessions(db, 'pool_map_guid', guids),
    tallyQualifiers(db, maps, tournamentGuid),
  ])
  return new Map(
    maps.map(({ guid, poolMapGuid }) => [
      poolMapGuid,
      sumOf([played.get(poolMapGuid), scored.get(guid)].flatMap((tally) => tally ?? [])),
    ]),
  )
}

/**
 * Counts the current sessions of completed matches in public tournaments. A delayed session counts only after all of it
 * is shown, so that the statistics reveal nothing early.
 */
async function tallySessions(
  db: Db,
  by: 'map_guid' | 'pool_map_guid',
  guids: readonly string[],
): Promise<ReadonlyMap<string, Tally>> {
  if (guids.length === 0) return new Map()
  const named = sql.raw(`r.${by}`)
  const { rows } = await db.session.orm.execute<{ [Name in keyof Tally]: number } & { guid: string }>(sql`
    select ${named} as guid, sum(r.picked)::integer as picked, sum(r.banned)::integer as banned,
      sum(r.protected)::integer as protected, sum(r.tiebreaker)::integer as tiebreaker, sum(r.played)::integer as played,
      sum(r.won_by_picker)::integer as "wonByPicker", sum(r.replays)::integer as replays, sum(r.scores)::integer as scores,
      sum(r.accuracies)::integer as accuracies, sum(r.accuracy_sum)::float8 as "accuracySum"
    from ${flowMapResults} r
    join ${flowSessions} s on s.guid = r.session_guid and s.is_current and s.status = 'over'
      and s.shown_position = s.position
    join ${matches} m on m.guid = s.match_guid and m.status = 'completed'
    join ${tournaments} t on t.guid = s.tournament_guid and ${isSeenByAllAsT}
    where ${named} = any(${sql.param(guids)}::uuid[])
    group by 1`)
  return new Map(rows.map(({ guid, ...tally }) => [guid, tally]))
}

/**
 * Counts like final leaderboards do: the best attempt of each player on a map, for players of teams that take part.
 * (additions: Details, 10)
 */
async function tallyQualifiers(
  db: Db,
  maps: readonly Identity[],
  tournamentGuid: string | null,
): Promise<ReadonlyMap<string, Tally>> {
  if (maps.length === 0) return new Map()
  const { rows } = await db.session.orm.execute<
    Pick<Tally, 'scores' | 'accuracies' | 'accuracySum'> & { guid: string }
  >(sql`
    select best.guid, count(*)::integer as scores, count(best.accuracy)::integer as accuracies,
      coalesce(sum(best.accuracy), 0)::float8 as "accuracySum"
    from (
      select distinct on (wanted.guid, a.map_guid, a.user_guid) wanted.guid,
        coalesce(a.accuracy, a.score::float8 / nullif(m.max_score, 0)) as accuracy
      from jsonb_to_recordset(${JSON.stringify(maps)}::jsonb) as wanted (guid uuid, hash text, characteristic text, difficulty text)
      join ${qualifierMaps} m on m.hash = wanted.hash and lower(m.characteristic) = lower(wanted.characteristic)
        and lower(m.difficulty) = lower(wanted.difficulty)
      join ${qualifiers} q on q.guid = m.qualifier_guid and q.status = 'final'
      join ${tournaments} t on t.guid = q.tournament_guid and ${isSeenByAllAsT}
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
  return new Map(rows.map(({ guid, ...scored }) => [guid, { ...nothingPlayed, ...scored }]))
}
