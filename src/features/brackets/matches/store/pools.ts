import { sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { flowSessions } from '../../../flows/flowSessions/tables.ts'
import { plannedPools, poolPlans } from '../../../maps/plans/tables.ts'
import { poolMaps, pools } from '../../../maps/pools/tables.ts'
import type { MatchPool, MatchRecord, PlannedPool } from '../types.ts'

/**
 * If the tournament has no plan, the query reads nothing else. A pool is shown to everybody once it is published and
 * all of its maps are released. A map that is added later, for a later release, does not hide the pool again, since
 * that would reveal the map. A pool that has become a qualifier's pool since it was planned counts for no match.
 *
 * The pool that a session began with is shown once the session is public; until then the plan is shown. (match-flows:
 * Spectators, and who can still qualify)
 */
const ofMatches = statement('matches.pools', (orm) =>
  orm
    .select({
      matchGuid: sql<string | null>`planned.match_guid`,
      bracketGuid: sql<string | null>`planned.bracket_guid`,
      round: sql<string | null>`planned.round`,
      guid: sql<string>`planned.pool_guid`,
      name: sql<string>`planned.name`,
      isShown: sql<boolean>`planned.is_shown`,
      isBegun: sql<boolean>`planned.is_begun`,
    })
    .from(
      sql`(with entry as materialized (
          select e.* from ${poolPlans} cross join lateral (
            select null::uuid as match_guid, null::uuid as bracket_guid, null::text as round,
              ${poolPlans.defaultPoolGuid} as pool_guid
            union all
            select p.match_guid, null, null, p.pool_guid from ${plannedPools} p
              where p.match_guid = any(${sql.placeholder('guids')}::uuid[])
            union all
            select null, p.bracket_guid, p.round, p.pool_guid from ${plannedPools} p
              where p.bracket_guid = any(${sql.placeholder('bracketGuids')}::uuid[])) e
          where ${poolPlans.tournamentGuid} = ${sql.placeholder('tournamentGuid')}),
        named as materialized (
          select p.guid, p.name, p.status <> 'draft' and not exists (
            select from ${poolMaps} m where m.pool_guid = p.guid and m.released_at is null and m.created_at <= p.published_at
          ) as is_shown
          from ${pools} p where p.kind = 'match' and p.guid in (select pool_guid from entry))
        select entry.*, named.name, named.is_shown, false as is_begun from entry join named on named.guid = entry.pool_guid
        union all
        select begun.match_guid, null, null, begun.pool_guid, begun.pool_name, true, true from (
          select distinct on (s.match_guid) s.match_guid, s.pool_guid, s.pool_name, s.shown_status from ${flowSessions} s
          where s.match_guid = any(${sql.placeholder('guids')}::uuid[]) and s.shown_position > 0
          order by s.match_guid, s.created_at desc, s.guid desc) begun
        where begun.shown_status <> 'void' and begun.pool_guid is not null and begun.pool_name is not null) planned`,
    ),
)

export interface PoolsOfMatches {
  /** All pools that the tournament's plan names for the matches. */
  readonly planned: readonly PlannedPool[]
  /** The pools that their sessions began with, by match. */
  readonly begun: ReadonlyMap<string, MatchPool>
}

/** Pools of some matches of one tournament. */
export async function listPoolsOfMatches(db: Db, matches: readonly MatchRecord[]): Promise<PoolsOfMatches> {
  const [first] = matches
  if (first === undefined) return { planned: [], begun: new Map() }
  const rows = await ofMatches(db, {
    tournamentGuid: first.tournamentGuid,
    guids: matches.map(({ guid }) => guid),
    bracketGuids: [...new Set(matches.map(({ bracketGuid }) => bracketGuid))],
  })
  const begun = rows.flatMap(({ isBegun, matchGuid, guid, name }) =>
    isBegun && matchGuid !== null ? [[matchGuid, { guid, name }] as const] : [],
  )
  const planned = rows.flatMap(({ isBegun, guid, name, ...row }) => (isBegun ? [] : [{ ...row, pool: { guid, name } }]))
  return { planned, begun: new Map(begun) }
}

/** All pools that a tournament's plan names for these matches, whether they have begun or not. */
export async function listPlannedPools(db: Db, matches: readonly MatchRecord[]): Promise<readonly PlannedPool[]> {
  return (await listPoolsOfMatches(db, matches)).planned
}
