import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { platforms } from '../../../listing/platforms/tables.ts'
import { listings, tournaments } from '../../../tournaments/tournaments/tables.ts'
import { maps as catalogueMaps } from '../../catalogue/tables.ts'
import { poolMaps, pools } from '../tables.ts'

/** Finds earlier uses of a map, for poolers. (pools: Archive) */

export const maxUses = 20
const rememberedMs = 730 * 24 * 60 * 60 * 1_000

export interface UsedBefore {
  readonly tournament: { readonly guid: string; readonly id: string; readonly name: string }
  readonly pool: { readonly guid: string; readonly name: string }
  /** null in a draft of the same tournament. */
  readonly publishedAt: Date | null
  /** `song`: another difficulty or version of the same song. */
  readonly identity: 'exact' | 'song'
}

export interface AskedBefore {
  readonly tournamentGuid: string
  /** The maps to find earlier uses of, with the hash and the key that identify their songs. */
  readonly maps: readonly { readonly mapGuid: string; readonly hash: string; readonly key: string | null }[]
  readonly now: Date
  /** The pool that is being viewed; its own maps do not count as uses. */
  readonly exceptPoolGuid?: string | undefined
}

/**
 * Returns the earlier uses by map GUID, newest first, unpublished ones before all others. Covers all pools of the
 * tournament, drafts included, and visible pools of listed tournaments in the last two years. (pools: Archive)
 */
export async function listUsedBefore(db: Db, asked: AskedBefore): Promise<ReadonlyMap<string, readonly UsedBefore[]>> {
  const { tournamentGuid, now, exceptPoolGuid = null } = asked
  if (asked.maps.length === 0) return new Map()
  const wanted = JSON.stringify(asked.maps.map(({ mapGuid, hash, key }) => ({ map_guid: mapGuid, hash, key })))
  const { rows } = await db.session.orm.execute<Row>(sql`
    select wanted.map_guid as "mapGuid", used.*
    from jsonb_to_recordset(${wanted}::jsonb) as wanted (map_guid uuid, hash text, key text)
    cross join lateral (
      select t.guid as "tournamentGuid", t.id as "tournamentId", t.name as "tournamentName",
        p.guid as "poolGuid", p.name as "poolName", p.created_at as "madeAt",
        (extract(epoch from at.used) * 1000)::float8 as "publishedMs", bool_or(m.map_guid = wanted.map_guid) as "isExact"
      from (
        select guid from ${catalogueMaps} where hash = wanted.hash
        union select guid from ${catalogueMaps} where key = wanted.key
      ) same
      join ${poolMaps} m on m.map_guid = same.guid
      join ${pools} p on p.guid = m.pool_guid and p.guid is distinct from ${exceptPoolGuid}::uuid
      join ${tournaments} t on t.guid = p.tournament_guid
      cross join lateral (
        select case when p.status <> 'draft' and m.released_at is not null then greatest(p.published_at, m.released_at) end as used
      ) at
      where p.tournament_guid = ${tournamentGuid}::uuid or (
        at.used >= ${new Date(now.getTime() - rememberedMs).toISOString()}::timestamptz and exists (
          select from ${listings} l join ${platforms} f on f.guid = l.platform_guid and f.is_system
          where l.tournament_guid = t.guid offset 0))
      group by t.guid, p.guid, at.used
      order by at.used desc nulls first, p.created_at desc, p.guid
      limit ${sql.raw(String(maxUses))}
    ) used
    order by wanted.map_guid, used."publishedMs" desc nulls first, used."madeAt" desc, used."poolGuid"`)
  const found = new Map<string, UsedBefore[]>()
  for (const row of rows) found.set(row.mapGuid, [...(found.get(row.mapGuid) ?? []), readRow(row)])
  return found
}

interface Row {
  readonly [column: string]: unknown
  readonly mapGuid: string
  readonly tournamentGuid: string
  readonly tournamentId: string
  readonly tournamentName: string
  readonly poolGuid: string
  readonly poolName: string
  readonly publishedMs: number | null
  readonly isExact: boolean
}

function readRow(row: Row): UsedBefore {
  return {
    tournament: { guid: row.tournamentGuid, id: row.tournamentId, name: row.tournamentName },
    pool: { guid: row.poolGuid, name: row.poolName },
    publishedAt: row.publishedMs === null ? null : new Date(row.publishedMs),
    identity: row.isExact ? 'exact' : 'song',
  }
}
