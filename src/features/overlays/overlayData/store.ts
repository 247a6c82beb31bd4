import { and, asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Section } from '../../../engine/types.ts'
import { type Db, statement } from '../../../infra/db/database.ts'
import { matches } from '../../brackets/matches/tables.ts'
import type { MatchRecord } from '../../brackets/matches/types.ts'
import { flowMapResults, flowRows, flowSessions } from '../../flows/flowSessions/tables.ts'
import type { Statistic } from './types.ts'

/**
 * Tables of results are named without their schema, so that a connection that shows results with a delay reads their
 * delayed state.
 */

const columns = getTableColumns(matches)
const tournamentGuid = sql.placeholder('tournamentGuid')
const isOther = sql`${matches.guid} is distinct from ${sql.placeholder('except')}::uuid`
const limit = sql.placeholder('limit')
/** Completed, and not without an opponent. */
const isPlayed = and(eq(matches.status, 'completed'), sql`${matches.outcome} is distinct from 'bye'`)
const latestFirst = [desc(matches.completedAt), desc(matches.number), desc(matches.guid)]

const upcoming = statement('overlay_data.upcoming', (orm) =>
  orm
    .select(columns)
    .from(matches)
    .where(
      and(
        eq(matches.tournamentGuid, tournamentGuid),
        sql`${matches.status} in ('locked', 'waiting', 'ready')`,
        sql`(${matches.scheduledAt} is not null or ${matches.status} = 'ready')`,
        isOther,
      ),
    )
    .orderBy(asc(matches.scheduledAt), asc(matches.createdAt), asc(matches.number), asc(matches.guid))
    .limit(limit),
)

const recent = statement('overlay_data.recent', (orm) =>
  orm
    .select(columns)
    .from(matches)
    .where(and(eq(matches.tournamentGuid, tournamentGuid), isPlayed, isOther))
    .orderBy(...latestFirst)
    .limit(limit),
)

interface Listed {
  readonly tournamentGuid: string
  /** GUID of a match to leave out. */
  readonly except: string | null
  readonly limit: number
}

/** Matches that have not begun: scheduled ones first, by time; then matches that can be played now. */
export async function listUpcoming(db: Db, listed: Listed): Promise<readonly MatchRecord[]> {
  return upcoming(db, { ...listed })
}

/** The latest completed matches, without byes. */
export async function listRecent(db: Db, listed: Listed): Promise<readonly MatchRecord[]> {
  return recent(db, { ...listed })
}

const road = statement('overlay_data.road', (orm) =>
  orm
    .select(columns)
    .from(matches)
    .where(
      and(
        eq(matches.tournamentGuid, tournamentGuid),
        sql`${sql.placeholder('team')}::uuid in (${matches.team1Guid}, ${matches.team2Guid})`,
        isPlayed,
      ),
    )
    .orderBy(...latestFirst)
    .limit(limit),
)

/** The latest completed matches of a team, without byes. */
export async function listRoad(
  db: Db,
  wish: { readonly tournamentGuid: string; readonly team: string; readonly limit: number },
): Promise<readonly MatchRecord[]> {
  return road(db, { ...wish })
}

const lastRounds = statement('overlay_data.last_rounds', (orm) =>
  orm
    .select({
      bracketGuid: matches.bracketGuid,
      section: matches.section,
      last: sql<number>`max(${matches.round})`,
    })
    .from(matches)
    .where(eq(matches.tournamentGuid, tournamentGuid))
    .groupBy(matches.bracketGuid, matches.section),
)

export interface LastRound {
  readonly bracketGuid: string
  readonly section: Section
  readonly last: number
}

/** Returns the last round of each section in all brackets. The labels of the last rounds need it. */
export async function listLastRounds(db: Db, tournament: string): Promise<readonly LastRound[]> {
  return lastRounds(db, { tournamentGuid: tournament })
}

/**
 * A score counts with its latest correction, and only from rows that are not undone. With `isLate`, a delayed session
 * counts only after all of it is shown.
 */
const statistics = statement('overlay_data.statistics', (orm) =>
  orm
    .select({
      kind: sql<Statistic['kind']>`s.kind`,
      value: sql<number>`s.value`,
      number: sql<number>`s.number`,
      team1Guid: sql<string | null>`s.team1_guid`,
      team2Guid: sql<string | null>`s.team2_guid`,
      userGuid: sql<string | null>`s.user_guid`,
      teamGuid: sql<string | null>`s.team_guid`,
      map: sql<string | null>`s.map`,
    })
    .from(
      sql`(with done as materialized (
          select m.guid, m.number, m.team1_guid, m.team2_guid, m.games, m.completed_at,
            extract(epoch from m.completed_at - m.started_at)::float8 as seconds
          from ${matches} m where m.tournament_guid = ${tournamentGuid} and m.status = 'completed'),
        played as materialized (
          select s.guid as session_guid, d.* from done d join ${flowSessions} s on s.match_guid = d.guid and s.is_current
          where s.status = 'over' and (s.shown_position = s.position or not ${sql.placeholder('isLate')}::bool)),
        game as (select d.*, g.game from done d cross join lateral jsonb_array_elements(d.games) as g (game)),
        accuracy as (
          select d.*, (p.player ->> 'userGuid')::uuid as user_guid, null::uuid as team_guid,
            (p.player ->> 'accuracy')::float8 as value
          from game d cross join lateral jsonb_array_elements(d.game -> 'detail' -> 'players') as p (player)
          union all
          select d.*, null, case p.place when 1 then d.team1_guid else d.team2_guid end, (p.side ->> 'accuracy')::float8
          from game d cross join lateral jsonb_array_elements(d.game -> 'detail' -> 'sides') with ordinality as p (side, place)
          where not coalesce(jsonb_path_exists(d.game -> 'detail' -> 'players', '$[*].accuracy'), false)),
        correction as (
          select distinct on (r.session_guid, r.data ->> 'score') r.session_guid, r.data ->> 'score' as score, r.data -> 'after' as after
          from ${flowRows} r join played d on d.session_guid = r.session_guid
          where r.kind = 'score_corrected' and r.undone_by is null
          order by r.session_guid, r.data ->> 'score', r.position desc),
        missed as (
          select d.*, r.data -> 'game' as of, p.score ->> 'user' as player,
            (coalesce(c.after, p.score) ->> 'misses')::float8 as value
          from played d join ${flowRows} r on r.session_guid = d.session_guid and r.kind = 'scores' and r.undone_by is null
          cross join lateral jsonb_array_elements(r.data -> 'scores') as p (score)
          left join correction c on c.session_guid = r.session_guid and c.score = p.score ->> 'guid'
          where p.score ->> 'user' not like 'seat:%'),
        replayed as (
          select d.number, d.team1_guid, d.team2_guid, d.completed_at, d.guid, sum(r.replays)::float8 as value
          from played d join ${flowMapResults} r on r.session_guid = d.session_guid
          group by d.session_guid, d.number, d.team1_guid, d.team2_guid, d.completed_at, d.guid)
        (select 'highestAccuracy' as kind, value, number, team1_guid, team2_guid, user_guid, team_guid,
            game -> 'detail' -> 'map' ->> 'name' as map
          from accuracy where value is not null order by value desc, completed_at, guid, user_guid limit 1)
        union all
        (select 'mostMisses', value, number, team1_guid, team2_guid, player::uuid, null,
            (select g.game -> 'detail' -> 'map' ->> 'name' from jsonb_array_elements(games) as g (game) where g.game -> 'number' = missed.of)
          from missed where value > 0 order by value desc, completed_at, guid, player limit 1)
        union all
        (select 'mostReplays', value, number, team1_guid, team2_guid, null, null, null
          from replayed where value > 0 order by value desc, completed_at, guid limit 1)
        union all
        (select 'longest', seconds, number, team1_guid, team2_guid, null, null, null
          from done where seconds > 0 order by seconds desc, completed_at, guid limit 1)
        union all
        (select 'shortest', seconds, number, team1_guid, team2_guid, null, null, null
          from done where seconds > 0 order by seconds, completed_at, guid limit 1)) s`,
    ),
)

/** Returns at most one statistic of each kind. */
export async function listStatistics(db: Db, tournament: string, isLate: boolean): Promise<readonly Statistic[]> {
  return statistics(db, { tournamentGuid: tournament, isLate })
}
