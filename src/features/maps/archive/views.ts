import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { CatalogueMap } from '../catalogue/types.ts'
import { MapView, mapView } from '../catalogue/views.ts'
import type { UsedBefore } from '../pools/store/used-before.ts'
import type { Flair } from '../pools/types.ts'
import { poolKinds, poolStatuses } from '../pools/types.ts'
import { statisticsOf } from './rules.ts'
import type { ListedMap, ListedPool, Tally, Use } from './types.ts'

const TournamentName = Type.Object({ guid: Guid, id: Type.String({ examples: ['spring-cup'] }), name: Type.String() })
const PoolName = Type.Object({ guid: Guid, name: Type.String({ examples: ['Quarterfinals'] }) })
const Count = Type.Integer({ minimum: 0 })

/** What everybody sees of a pool, without its maps and changes. (pools: Archive) */
export const PoolSummary = Type.Object(
  {
    guid: Guid,
    tournament: TournamentName,
    name: Type.String({ examples: ['Quarterfinals'] }),
    description: nullable(Type.String(), 'Markdown.'),
    kind: oneOf(poolKinds),
    order: Type.Integer({ description: 'Its place among the pools of the tournament that everybody sees, from 0.' }),
    status: oneOf(poolStatuses),
    publishedAt: Instant,
    archivedAt: nullable(Instant),
    revision: Type.Integer({ description: '1 when it is published, and one more with each correction.' }),
    playlist: Type.Object({ title: Type.String(), author: Type.String(), description: Type.String() }),
    coverUrl: Type.String(),
    playlistUrl: Type.String(),
    counts: Type.Object({ maps: Count }, { description: 'Of what everybody sees.' }),
    createdAt: { ...Instant, description: 'When it was published.' },
    updatedAt: { ...Instant, description: 'The last change that everybody sees.' },
  },
  { title: 'PoolSummary' },
)

export function poolSummary(
  { pool, tournament, place, maps }: ListedPool,
  publicUrl: string,
): Static<typeof PoolSummary> {
  const address = `${publicUrl}/api/resources/pooling/pools/${pool.guid}`
  return {
    guid: pool.guid,
    tournament,
    name: pool.name,
    description: pool.description,
    kind: pool.kind,
    order: place,
    status: pool.status,
    publishedAt: formatInstant(pool.publishedAt),
    archivedAt: formatInstant(pool.archivedAt),
    revision: pool.revision,
    playlist: {
      title: pool.playlistTitle ?? `${tournament.name} – ${pool.name}`,
      author: pool.playlistAuthor ?? tournament.name,
      description: pool.playlistDescription,
    },
    coverUrl: `${address}/cover`,
    playlistUrl: `${address}/playlist.bplist`,
    counts: { maps },
    createdAt: formatInstant(pool.publishedAt),
    updatedAt: formatInstant(pool.shownAt ?? pool.publishedAt),
  }
}

const UsageView = Type.Object(
  {
    pools: { ...Count, description: 'Pools of listed tournaments in which everybody sees it.' },
    tournaments: { ...Count, description: 'Tournaments of these.' },
    lastUsedAt: nullable(Instant, 'When it was last seen newly in one of them.'),
  },
  { title: 'MapUsage' },
)

export const ListedMapView = Type.Object({ ...MapView.properties, usage: UsageView }, { title: 'ListedMap' })

export function listedMapView({ map, usage }: ListedMap): Static<typeof ListedMapView> {
  const { pools, tournaments, lastUsedAt } = usage
  return {
    ...mapView(map, { showsCheckedAt: false }),
    usage: { pools, tournaments, lastUsedAt: formatInstant(lastUsedAt) },
  }
}

const FlairName = Type.Object(
  {
    guid: Guid,
    name: Type.String({ examples: ['Speed'] }),
    color: Type.String({ examples: ['#3366cc'] }),
    icon: nullable(Type.String()),
    order: Type.Integer(),
  },
  { title: 'Flair' },
)

const UseView = Type.Object({
  tournament: TournamentName,
  pool: PoolName,
  flair: nullable(FlairName),
  publishedAt: { ...Instant, description: 'When it was first seen in the pool.' },
})

function useView({ tournament, pool, flair, publishedAt }: Use): Static<typeof UseView> {
  return { tournament, pool, flair: flairView(flair), publishedAt: formatInstant(publishedAt) }
}

function flairView(flair: Flair | null): Static<typeof FlairName> | null {
  if (flair === null) return null
  const { guid, name, color, icon, order } = flair
  return { guid, name, color, icon, order }
}

/** (pools: Archive) */
export const StatisticsView = Type.Object(
  {
    picked: Count,
    banned: Count,
    protected: Count,
    tiebreaker: { ...Count, description: 'How often it was played as the tiebreaker.' },
    played: Count,
    wonByPicker: Count,
    replays: Count,
    scores: { ...Count, description: 'Scores that counted, those of final qualifiers included.' },
    averageAccuracy: nullable(
      Type.Number({ minimum: 0, examples: [0.9321] }),
      'Of the scores that have one; null below three of them.',
    ),
  },
  { title: 'MapStatistics', description: 'Of public tournaments.' },
)

export function statisticsView(tally: Tally): Static<typeof StatisticsView> {
  return statisticsOf(tally)
}

export const MapRecord = Type.Object(
  {
    ...ListedMapView.properties,
    uses: Type.Array(UseView, { description: 'The newest hundred, in listed tournaments.' }),
    statistics: StatisticsView,
  },
  { title: 'MapRecord' },
)

export function mapRecord(found: ListedMap, uses: readonly Use[], tally: Tally): Static<typeof MapRecord> {
  return { ...listedMapView(found), uses: uses.map(useView), statistics: statisticsView(tally) }
}

export const PoolStatistics = Type.Object(
  {
    ...StatisticsView.properties,
    maps: Type.Array(
      Type.Object({ poolMapGuid: Guid, mapGuid: Guid, name: nullable(Type.String()), statistics: StatisticsView }),
      { description: 'The maps of the pool that the caller sees, in its order; what stands above is their sum.' },
    ),
  },
  { title: 'PoolStatistics' },
)

export const UsedBeforeView = Type.Object(
  {
    tournament: TournamentName,
    pool: PoolName,
    publishedAt: nullable(Instant, 'null where it is not published, which is told of the own tournament alone.'),
    identity: oneOf(['exact', 'song'], { description: '`song`: another difficulty or version of the map.' }),
  },
  { title: 'UsedBefore' },
)

export function usedBeforeView({ publishedAt, ...use }: UsedBefore): Static<typeof UsedBeforeView> {
  return { ...use, publishedAt: formatInstant(publishedAt) }
}

export const Duplicates = Type.Array(
  Type.Object({ poolMapGuid: Guid, map: MapView, usedBefore: Type.Array(UsedBeforeView) }, { title: 'Duplicate' }),
)

export function duplicateView(
  poolMap: { readonly guid: string; readonly map: CatalogueMap },
  usedBefore: readonly UsedBefore[],
): Static<typeof Duplicates>[number] {
  return {
    poolMapGuid: poolMap.guid,
    map: mapView(poolMap.map, { showsCheckedAt: true }),
    usedBefore: usedBefore.map(usedBeforeView),
  }
}
