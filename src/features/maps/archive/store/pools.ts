import { eq, getTableColumns, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { poolMaps, pools } from '../../pools/tables.ts'
import type { ListedPool } from '../types.ts'

/** Pools, as public lists show them. */

const { nameKey: _key, ...columns } = getTableColumns(pools)

const listed = statement('archive.pools', (orm) =>
  orm
    .select({
      pool: columns,
      tournament: { guid: tournaments.guid, id: tournaments.id, name: tournaments.name },
      place: sql<number>`(
        select count(*)::integer from ${pools} p where p.tournament_guid = ${pools.tournamentGuid} and p.status <> 'draft'
          and (p."order", p.guid) < (${pools.order}, ${pools.guid}))`,
      maps: sql<number>`(
        select count(*)::integer from ${poolMaps} m where m.pool_guid = ${pools.guid} and m.released_at is not null)`,
    })
    .from(pools)
    .innerJoin(tournaments, eq(tournaments.guid, pools.tournamentGuid))
    .where(sql`${pools.guid} = any(${sql.placeholder('guids')}::uuid[]) and ${pools.status} <> 'draft'`),
)

/** Returns the pools in the order of `guids`. */
export async function listPools(db: Db, guids: readonly string[]): Promise<readonly ListedPool[]> {
  if (guids.length === 0) return []
  const found = new Map((await listed(db, { guids })).map((row) => [row.pool.guid, row]))
  return guids.flatMap((guid) => found.get(guid) ?? [])
}
