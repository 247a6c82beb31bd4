import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { CatalogueMap } from '../catalogue/types.ts'
import { MapView, mapView } from '../catalogue/views.ts'
import type { UsedBefore } from '../pools/store/used-before.ts'
import { FlairView, flairView } from '../pools/views/flair.ts'
import { UsedBeforeView, usedBeforeView } from '../pools/views/map.ts'
import { coverUrlOf, playlistSettings, playlistUrlOf, poolMembers } from '../pools/views/pool.ts'
import { statisticsOf } from './rules.ts'
import type { ListedMap, ListedPool, Tally, Use } from './types.ts'

const TournamentName = Type.Object({ guid: Guid, id: Type.String({ examples: ['spring-cup'] }), name: Type.String() })
const PoolName = Type.Object({ guid: Guid, name: Type.String({ examples: ['Quarterfinals'] }) })
const Count = Type.Integer({ minimum: 0 })

/** A pool as everybody sees it, without its maps and changes. (pools: Archive) */
export const PoolSummary = Type.Object(
  {
    ...poolMembers,
    counts: Type.Object({ maps: Count }, { description: 'Of what everybody sees.' }),
  },
  { title: 'PoolSummary' },
)

export function poolSummary(
  { pool, tournament, place, maps }: ListedPool,
  publicUrl: string,
): Static<typeof PoolSummary> {
  const { guid, name, description, kind, status, publishedAt, revision } = pool
  return {
    guid,
    tournament,
    name,
    description,
    kind,
    order: place,
    status,
    publishAt: null,
    publishedAt: formatInstant(publishedAt),
    archivedAt: formatInstant(pool.archivedAt),
    revision,
    playlist: playlistSettings(pool, tournament),
    coverUrl: coverUrlOf(publicUrl, pool),
    playlistUrl: playlistUrlOf(publicUrl, pool),
    createdAt: formatInstant(publishedAt ?? pool.createdAt),
    updatedAt: formatInstant(pool.shownAt ?? publishedAt ?? pool.createdAt),
    counts: { maps },
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

const UseView = Type.Object({
  tournament: TournamentName,
  pool: PoolName,
  flair: nullable(FlairView),
  publishedAt: { ...Instant, description: 'When it was first seen in the pool.' },
})

function useView({ tournament, pool, flair, publishedAt }: Use): Static<typeof UseView> {
  return { tournament, pool, flair: flair === null ? null : flairView(flair), publishedAt: formatInstant(publishedAt) }
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
