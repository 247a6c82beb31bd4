import { eq, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { poolMaps, pools } from '../../pools/tables.ts'
import { maps } from '../tables.ts'
import type { KeptMap } from '../types.ts'

/** Data from imports about the maps of pools. Each pool keeps its own. (D71) */

const keyOf = sql<string>`${poolMaps.told}->>'key'`

const keys = statement('told.keys', (orm) =>
  orm
    .selectDistinct({ mapGuid: poolMaps.mapGuid, key: keyOf })
    .from(poolMaps)
    .innerJoin(maps, eq(maps.guid, poolMaps.mapGuid))
    .innerJoin(pools, eq(pools.guid, poolMaps.poolGuid))
    .where(
      sql`${poolMaps.mapGuid} = any(${sql.placeholder('guids')}::uuid[]) and ${keyOf} is not null and ${maps.key} is null
        and ${pools.status} in ('draft', 'published')
        and (${sql.placeholder('poolGuid')}::uuid is null or ${pools.guid} = ${sql.placeholder('poolGuid')}::uuid)`,
    ),
)

/**
 * Returns, by map GUID, the keys that imports gave for maps without a key from the catalogue. Leaves out archived
 * pools.
 * @param poolGuid limits the keys to one pool; null for all pools
 */
export async function listImportedKeys(
  db: Db,
  guids: readonly string[],
  poolGuid: string | null,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (guids.length === 0) return new Map()
  const rows = Map.groupBy(await keys(db, { guids, poolGuid }), ({ mapGuid }) => mapGuid)
  return new Map([...rows].map(([guid, own]) => [guid, own.map(({ key }) => key)]))
}

const ofPoolMaps = statement('told.of_pool_maps', (orm) =>
  orm
    .select({ guid: poolMaps.guid, told: poolMaps.told })
    .from(poolMaps)
    .where(sql`${poolMaps.guid} = any(${sql.placeholder('guids')}::uuid[]) and ${poolMaps.told} is not null`),
)

/** Returns the import data by GUID of the map in its pool; leaves out maps without such data. */
export async function listImportData(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, KeptMap>> {
  if (guids.length === 0) return new Map()
  return new Map((await ofPoolMaps(db, { guids })).flatMap(({ guid, told }) => (told === null ? [] : [[guid, told]])))
}

export interface ImportDataRow {
  /** GUID of the map in its pool. */
  readonly guid: string
  readonly poolGuid: string
  readonly tournamentGuid: string
  readonly mapGuid: string
  readonly told: KeptMap | null
}

const rows = {
  guid: poolMaps.guid,
  poolGuid: poolMaps.poolGuid,
  tournamentGuid: pools.tournamentGuid,
  mapGuid: poolMaps.mapGuid,
  told: poolMaps.told,
}

/**
 * Locks the pool maps with these keys from imports, except in archived pools. Skips rows that another transaction has
 * locked: the next check finds them.
 */
export async function lockImportedKeys(
  tx: Tx,
  asked: readonly { readonly mapGuid: string; readonly key: string }[],
): Promise<readonly ImportDataRow[]> {
  return tx.session.orm
    .select(rows)
    .from(poolMaps)
    .innerJoin(pools, eq(pools.guid, poolMaps.poolGuid))
    .where(
      sql`(${poolMaps.mapGuid}, ${keyOf}) in (select * from unnest(
        ${sql.param(asked.map(({ mapGuid }) => mapGuid))}::uuid[], ${sql.param(asked.map(({ key }) => key))}::text[]))
        and ${pools.status} in ('draft', 'published')`,
    )
    .orderBy(poolMaps.guid)
    .for('no key update', { of: poolMaps, skipLocked: true })
}

/** Call under the lock of the pool. */
export async function lockImportDataRows(tx: Tx, guids: readonly string[]): Promise<readonly ImportDataRow[]> {
  return tx.session.orm
    .select(rows)
    .from(poolMaps)
    .innerJoin(pools, eq(pools.guid, poolMaps.poolGuid))
    .where(sql`${poolMaps.guid} = any(${sql.param(guids)}::uuid[])`)
    .orderBy(poolMaps.guid)
    .for('no key update', { of: poolMaps })
}

export async function writeImportData(tx: Tx, changed: readonly Pick<ImportDataRow, 'guid' | 'told'>[]): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${poolMaps} m set told = t.told
    from jsonb_to_recordset(${JSON.stringify(changed.map(({ guid, told }) => ({ guid, told })))}::jsonb) as t (guid uuid, told jsonb)
    where m.guid = t.guid`)
}
