import { type SQL, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { isSeenByAllAsT, tournaments } from '../../../tournaments/tournaments/tables.ts'
import { suggestions } from '../../suggestions/tables.ts'
import { poolMaps, pools } from '../tables.ts'

/** Selects the pools in which everybody sees a map. @param map its GUID */
export function shownPoolsOf(map: SQL): SQL {
  return sql`
    select from ${poolMaps} m join ${pools} p on p.guid = m.pool_guid join ${tournaments} t on t.guid = p.tournament_guid
    where m.map_guid = ${map} and m.released_at is not null and p.status <> 'draft' and ${isSeenByAllAsT}`
}

const known = statement('pools.knows_map', (orm) => {
  const map = sql`${sql.placeholder('mapGuid')}::uuid`
  const tournament = sql`${sql.placeholder('tournamentGuid')}::uuid`
  const own = sql`
    select from ${poolMaps} m join ${pools} p on p.guid = m.pool_guid
    where m.map_guid = ${map} and p.tournament_guid = ${tournament}`
  const suggested = sql`select from ${suggestions} s where s.map_guid = ${map} and s.tournament_guid = ${tournament}`
  return orm
    .select({ isKnown: sql<boolean>`exists (${own}) or exists (${suggested}) or exists (${shownPoolsOf(map)})` })
    .from(sql`(values (1)) one`)
})

/** Whether the poolers of a tournament may know of a map: everybody sees it in some pool, or they named it before. */
export async function isMapKnownTo(db: Db, tournamentGuid: string, mapGuid: string): Promise<boolean> {
  return (await known(db, { tournamentGuid, mapGuid }))[0]?.isKnown ?? false
}
