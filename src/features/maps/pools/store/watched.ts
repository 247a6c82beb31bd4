import { eq, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { maps } from '../../catalogue/tables.ts'
import type { MapIdentity } from '../../catalogue/types.ts'
import { poolMaps, pools } from '../tables.ts'

export interface WatchedMap extends MapIdentity {
  readonly guid: string
  readonly key: string | null
}

const identity = {
  guid: maps.guid,
  hash: maps.hash,
  characteristic: maps.characteristic,
  difficulty: maps.difficulty,
  key: maps.key,
}

const watched = statement('pools.watched_maps', (orm) =>
  orm
    .select(identity)
    .from(maps)
    .where(
      sql`${maps.guid} > ${sql.placeholder('after')}::uuid and exists (
        select from ${poolMaps} m join ${pools} p on p.guid = m.pool_guid join ${tournaments} t on t.guid = p.tournament_guid
        where m.map_guid = ${maps.guid} and p.status in ('draft', 'published')
          and t.status in ('draft', 'approved', 'ongoing') and t.rehearsal_of is null)`,
    )
    .orderBy(maps.guid)
    .limit(sql.placeholder('limit')),
)

const nothing = '00000000-0000-0000-0000-000000000000'

/** Returns maps of pools that may still be played, in the order of their GUIDs. (pools: Version watch) */
export async function listWatchedMaps(
  db: Db,
  after: string | undefined,
  limit: number,
): Promise<readonly WatchedMap[]> {
  return watched(db, { after: after ?? nothing, limit })
}

const ofPool = statement('pools.maps_to_check', (orm) =>
  orm
    .select(identity)
    .from(poolMaps)
    .innerJoin(maps, eq(maps.guid, poolMaps.mapGuid))
    .where(eq(poolMaps.poolGuid, sql.placeholder('poolGuid')))
    .orderBy(poolMaps.order, poolMaps.guid),
)

export async function listMapsToCheck(db: Db, poolGuid: string): Promise<readonly WatchedMap[]> {
  return ofPool(db, { poolGuid })
}

/** Does not count as a change of the pool. Call under the lock of the pool. */
export async function writeChecked(tx: Tx, guid: string, checkedAt: Date): Promise<void> {
  await tx.session.orm.update(pools).set({ checkedAt }).where(eq(pools.guid, guid))
}
