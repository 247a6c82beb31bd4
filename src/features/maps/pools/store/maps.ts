import { and, asc, eq, getTableColumns, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { withImportData } from '../../catalogue/rules/import-data.ts'
import { maps } from '../../catalogue/tables.ts'
import type { KeptMap } from '../../catalogue/types.ts'
import { flairs, poolMaps, pools } from '../tables.ts'
import type { PoolMap, PoolMapSettings, WholePoolMap } from '../types.ts'
import { duePools } from './pools.ts'
import { withdrawMaps } from './qualifier.ts'

const { told, ...columns } = getTableColumns(poolMaps)
const { createdAt: _enteredAt, askedInVain: _asked, askAgainAt: _again, ...mapColumns } = getTableColumns(maps)
const { tournamentGuid: _owner, ...flairColumns } = getTableColumns(flairs)

const byGuid = statement('pool_maps.by_guid', (orm) =>
  orm
    .select(columns)
    .from(poolMaps)
    .where(eq(poolMaps.guid, sql.placeholder('guid'))),
)

export async function findPoolMap(db: Db, guid: string): Promise<PoolMap | undefined> {
  return (await byGuid(db, { guid }))[0]
}

const ofPools = statement('pool_maps.of_pools', (orm) =>
  orm
    .select({ poolMap: columns, told, map: mapColumns, flair: flairColumns })
    .from(poolMaps)
    .innerJoin(maps, eq(maps.guid, poolMaps.mapGuid))
    .leftJoin(flairs, eq(flairs.guid, poolMaps.flairGuid))
    .where(sql`${poolMaps.poolGuid} = any(${sql.placeholder('poolGuids')}::uuid[])`)
    .orderBy(asc(poolMaps.poolGuid), asc(poolMaps.order), asc(poolMaps.guid)),
)

/** Returns the maps of the pools, in their order within each pool. */
export async function listWholeMaps(db: Db, poolGuids: readonly string[]): Promise<readonly WholePoolMap[]> {
  if (poolGuids.length === 0) return []
  return (await ofPools(db, { poolGuids })).map(({ poolMap, told, map, flair }) => {
    return { ...poolMap, map: withImportData(map, told), flair }
  })
}

const counts = statement('pool_maps.counts', (orm) =>
  orm
    .select({
      poolGuid: poolMaps.poolGuid,
      all: sql<number>`count(*)::int`,
      released: sql<number>`count(${poolMaps.releasedAt})::int`,
    })
    .from(poolMaps)
    .innerJoin(pools, eq(pools.guid, poolMaps.poolGuid))
    .where(eq(pools.tournamentGuid, sql.placeholder('tournamentGuid')))
    .groupBy(poolMaps.poolGuid),
)

export interface MapCounts {
  readonly all: number
  readonly released: number
}

/** Returns the number of maps in each pool of a tournament, by pool GUID. */
export async function countMapsOfPools(db: Db, tournamentGuid: string): Promise<ReadonlyMap<string, MapCounts>> {
  return new Map((await counts(db, { tournamentGuid })).map(({ poolGuid, ...count }) => [poolGuid, count]))
}

export type NewPoolMap = PoolMapSettings &
  Pick<PoolMap, 'mapGuid' | 'order' | 'releasedAt' | 'addedByGuid' | 'suggestionGuid'> & {
    readonly told?: KeptMap | null
  }

/** Returns the GUIDs in the order of `added`. */
export async function insertPoolMaps(
  tx: Tx,
  poolGuid: string,
  added: readonly NewPoolMap[],
  now: Date,
): Promise<readonly PoolMap[]> {
  if (added.length === 0) return []
  return tx.session.orm
    .insert(poolMaps)
    .values(added.map((map) => ({ ...map, poolGuid, createdAt: now })))
    .returning(columns)
}

export async function updatePoolMap(
  tx: Tx,
  guid: string,
  changes: Partial<PoolMapSettings & Pick<PoolMap, 'releasedAt'>>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await tx.session.orm.update(poolMaps).set(changes).where(eq(poolMaps.guid, guid))
}

export async function deletePoolMaps(tx: Tx, guids: readonly string[]): Promise<void> {
  await withdrawMaps(tx, sql`m.guid = any(${sql.param(guids)}::uuid[])`)
  await tx.session.orm.delete(poolMaps).where(inArray(poolMaps.guid, [...guids]))
}

/** Sorts the maps of a pool. Call under the lock of the pool. */
export async function orderPoolMaps(tx: Tx, guids: readonly string[]): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${poolMaps} m set "order" = o.place - 1
    from unnest(${sql.param(guids)}::uuid[]) with ordinality as o (guid, place)
    where m.guid = o.guid and m."order" <> o.place - 1`)
}

/**
 * Releases all maps that are due: maps without a release time, and maps whose time has come.
 * @param since maps whose time came by then are left as they are
 * @returns their GUIDs
 */
export async function releasePoolMaps(
  tx: Tx,
  poolGuid: string,
  now: Date,
  since: Date | null = null,
): Promise<readonly string[]> {
  const isDue = and(lte(poolMaps.releaseAt, now), since === null ? undefined : gt(poolMaps.releaseAt, since))
  const rows = await tx.session.orm
    .update(poolMaps)
    .set({ releasedAt: now })
    .where(and(eq(poolMaps.poolGuid, poolGuid), isNull(poolMaps.releasedAt), or(isNull(poolMaps.releaseAt), isDue)))
    .returning({ guid: poolMaps.guid })
  return rows.map(({ guid }) => guid)
}

/** For a pool that is unpublished: hides all of its maps. */
export async function withholdPoolMaps(tx: Tx, poolGuid: string): Promise<void> {
  await tx.session.orm.update(poolMaps).set({ releasedAt: null }).where(eq(poolMaps.poolGuid, poolGuid))
}

/** Finds published pools with maps whose release time has come. */
export const findPoolsToRelease = duePools(
  'pool_maps.to_release',
  sql`select p.guid, p.tournament_guid, m.release_at as at from ${poolMaps} m join ${pools} p on p.guid = m.pool_guid
    where p.status = 'published' and m.release_at is not null and m.released_at is null`,
)
