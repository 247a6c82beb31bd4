import { and, asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { platforms } from '../../../listing/platforms/tables.ts'
import { isSeenByAll, listings, tournaments } from '../../../tournaments/tournaments/tables.ts'
import { maps } from '../../catalogue/tables.ts'
import { flairs, poolMaps, pools } from '../../pools/tables.ts'
import type { Folded } from '../rules.ts'
import { mapUsage } from '../tables.ts'
import type { ListedMap, Use } from '../types.ts'

/** Maps, as the public sees them. */

const { createdAt: _made, askedInVain: _asked, askAgainAt: _again, ...mapColumns } = getTableColumns(maps)
const { tournamentGuid: _owner, ...flairColumns } = getTableColumns(flairs)
const usageColumns = { pools: mapUsage.pools, tournaments: mapUsage.tournaments, lastUsedAt: mapUsage.lastUsedAt }

const folded = statement('archive.folded', (orm) =>
  orm
    .select({
      words: sql<string[]>`search_words(${sql.placeholder('q')}::text)`,
      mapper: sql<string | null>`lower(${sql.placeholder('mapper')}::text)`,
      flair: sql<string | null>`lower(${sql.placeholder('flair')}::text)`,
    })
    .from(sql`(select) nothing`),
)

/** Folds the texts of a query as the database folds the stored ones. */
export async function foldTexts(
  db: Db,
  {
    q,
    mapper,
    flair,
  }: { readonly q?: string | undefined; readonly mapper?: string | undefined; readonly flair?: string | undefined },
): Promise<Folded> {
  if (q === undefined && mapper === undefined && flair === undefined) {
    return { words: undefined, mapper: undefined, flair: undefined }
  }
  const [row] = await folded(db, { q: q ?? null, mapper: mapper ?? null, flair: flair ?? null })
  return {
    words: q === undefined ? undefined : row?.words,
    mapper: row?.mapper ?? undefined,
    flair: row?.flair ?? undefined,
  }
}

const listed = statement('archive.maps', (orm) =>
  orm
    .select({ map: mapColumns, usage: usageColumns })
    .from(mapUsage)
    .innerJoin(maps, eq(maps.guid, mapUsage.mapGuid))
    .where(sql`${mapUsage.mapGuid} = any(${sql.placeholder('guids')}::uuid[])`),
)

/** Returns the maps in the order of `guids`. */
export async function listMaps(db: Db, guids: readonly string[]): Promise<readonly ListedMap[]> {
  if (guids.length === 0) return []
  const found = new Map((await listed(db, { guids })).map((row) => [row.map.guid, row]))
  return guids.flatMap((guid) => found.get(guid) ?? [])
}

const seen = statement('archive.map', (orm) =>
  orm
    .select({ map: mapColumns, usage: usageColumns })
    .from(maps)
    .leftJoin(mapUsage, eq(mapUsage.mapGuid, maps.guid))
    .where(
      and(
        eq(maps.guid, sql.placeholder('guid')),
        sql`(${mapUsage.mapGuid} is not null or exists (
          select from ${poolMaps} join ${pools} on ${pools.guid} = ${poolMaps.poolGuid}
          join ${tournaments} on ${tournaments.guid} = ${pools.tournamentGuid}
          where ${poolMaps.mapGuid} = ${maps.guid} and ${poolMaps.releasedAt} is not null and ${pools.status} <> 'draft'
            and ${isSeenByAll(tournaments)}))`,
      ),
    ),
)

/** Returns a map in a pool that everybody may see, even if the tournament is cancelled. (pools: What outsiders see) */
export async function findMap(db: Db, guid: string): Promise<ListedMap | undefined> {
  const [row] = await seen(db, { guid })
  if (row === undefined) return undefined
  return { map: row.map, usage: row.usage ?? { pools: 0, tournaments: 0, lastUsedAt: null } }
}

const maxUses = 100
const usedAt = sql<Date>`greatest(${pools.publishedAt}, ${poolMaps.releasedAt})`.mapWith(poolMaps.releasedAt)

const uses = statement('archive.uses', (orm) =>
  orm
    .select({
      tournament: { guid: tournaments.guid, id: tournaments.id, name: tournaments.name },
      pool: { guid: pools.guid, name: pools.name },
      flair: flairColumns,
      flairPlace: sql<number>`(
        select count(*)::integer from ${flairs} o
        where o.tournament_guid = ${flairs.tournamentGuid} and (o."order", o.guid) < (${flairs.order}, ${flairs.guid})
          and exists (
            select from ${poolMaps} om join ${pools} op on op.guid = om.pool_guid
            where om.flair_guid = o.guid and om.released_at is not null and op.status <> 'draft'))`,
      publishedAt: usedAt,
    })
    .from(poolMaps)
    .innerJoin(pools, and(eq(pools.guid, poolMaps.poolGuid), sql`${pools.status} <> 'draft'`))
    .innerJoin(tournaments, eq(tournaments.guid, pools.tournamentGuid))
    .innerJoin(listings, eq(listings.tournamentGuid, tournaments.guid))
    .innerJoin(platforms, and(eq(platforms.guid, listings.platformGuid), eq(platforms.isSystem, true)))
    .leftJoin(flairs, eq(flairs.guid, poolMaps.flairGuid))
    .where(and(eq(poolMaps.mapGuid, sql.placeholder('mapGuid')), sql`${poolMaps.releasedAt} is not null`))
    .orderBy(desc(usedAt), asc(pools.guid))
    .limit(maxUses),
)

/** The newest pools of listed tournaments that contain the map. */
export async function listUses(db: Db, mapGuid: string): Promise<readonly Use[]> {
  const rows = await uses(db, { mapGuid })
  // The order among all flairs would reveal flairs that only drafts use.
  return rows.map(({ flair, flairPlace, ...use }) => ({ ...use, flair: flair && { ...flair, order: flairPlace } }))
}
