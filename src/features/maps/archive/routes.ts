import { type Static, Type } from 'typebox'
import { anyone, everybody } from '../../../core/actor.ts'
import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { query, tournamentPath } from '../../../core/operation.ts'
import { defaultPageSize } from '../../../core/page.ts'
import { invalid, missing } from '../../../core/problem.ts'
import { Instant, NextCursor, oneOf, PageQuery } from '../../../core/schema.ts'
import { playedTag } from '../../people/users/views.ts'
import { readDate } from '../../tournaments/tournaments/rules/dates.ts'
import { readDifficulty } from '../catalogue/rules/references.ts'
import { characteristicPattern, type Difficulty, difficulties } from '../catalogue/types.ts'
import { poolsTag } from '../pools/events.ts'
import { maySeeMap, poolers } from '../pools/policy.ts'
import { listWholeMaps } from '../pools/store/maps.ts'
import { listUsedBefore } from '../pools/store/used-before.ts'
import { poolKinds } from '../pools/types.ts'
import { findNamed, identityOf, mapList, nextCursor, poolList, readCursor, tallyPool } from './queries.ts'
import { mapQuestion, nothingPlayed, poolQuestion } from './rules.ts'
import { findMap, foldTexts, listMaps, listUses } from './store/maps.ts'
import { listPools } from './store/pools.ts'
import { searchMaps, searchPools } from './store/search.ts'
import { tallyMaps } from './store/statistics.ts'
import { mapSorts, poolSorts, rankings } from './types.ts'
import {
  Duplicates,
  duplicateView,
  ListedMapView,
  listedMapView,
  MapRecord,
  mapRecord,
  PoolStatistics,
  PoolSummary,
  poolSummary,
  statisticsView,
} from './views.ts'

/** Public search for maps and pools of all tournaments. (pools: Archive) */

const optional = Type.Optional
const text = (maxLength: number, description?: string) =>
  optional(Type.String({ minLength: 1, maxLength, ...(description === undefined ? {} : { description }) }))
const figure = (description: string) => optional(Type.Number({ minimum: 0, maximum: 1_000, description }))
const seconds = (description: string) => optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description }))
const Hash = optional(Type.String({ pattern: '^[0-9A-Fa-f]{40}$', description: 'Of the song’s files.' }))
const Flair = text(40, 'Name of a flair, in any case.')
const TournamentId = text(100, 'GUID or short id of a tournament.')
/** Cursors are long because positions contain names. */
const Page = {
  limit: PageQuery.limit,
  before: optional(Type.String({ maxLength: 2_000, description: 'The `nextCursor` of the page before.' })),
}

const shortPages =
  'A page that is hard to fill may have fewer records than asked for, or none, and yet a `nextCursor`: the search goes on there.'

const MapQuery = Type.Object({
  q: text(100, 'Words of name, sub name, artist and mapper; the last one may be a beginning.'),
  hash: Hash,
  key: optional(Type.String({ pattern: '^[0-9A-Fa-f]{1,8}$', description: 'Of the song in the catalogue.' })),
  mapper: text(200, 'The whole name, in any case.'),
  difficulty: text(20, `${difficulties.join(', ')}, in any case.`),
  characteristic: optional(
    Type.String({
      pattern: characteristicPattern,
      description: 'Name of a characteristic, in any case.',
      examples: ['Standard'],
    }),
  ),
  flair: Flair,
  ranking: optional(
    oneOf(rankings, {
      description: 'Maps with stars on that platform, which the other parameters then mean; A unless given.',
    }),
  ),
  starsMin: figure('The fewest stars on the platform of `ranking`.'),
  starsMax: figure('The most stars on the platform of `ranking`.'),
  npsMin: figure('The fewest notes per second.'),
  npsMax: figure('The most notes per second.'),
  secondsMin: seconds('The shortest duration in seconds.'),
  secondsMax: seconds('The longest duration in seconds.'),
  tournament: TournamentId,
  pool: text(36, 'GUID of a published pool in which the maps stand.'),
  unused: text(100, 'GUID or short id of a tournament: maps that are seen in none of its pools.'),
  sort: optional(
    oneOf(mapSorts, {
      description:
        '`newest`: by first publication; `used`: by number of pools; `name`; `stars`: on the platform of `ranking`.',
    }),
  ),
  ...Page,
})

const mapProblems = {
  'tournament.unknown': 400,
  'pool.unknown': 400,
  'archive.range_invalid': 400,
  'archive.difficulty_unknown': 400,
}

const maps = query({
  name: 'archive.maps',
  method: 'GET',
  path: '/resources/pooling/maps',
  scope: 'public',
  allow: anyone,
  summary: 'Maps of the published pools of listed tournaments.',
  description: shortPages,
  query: MapQuery,
  reply: { 200: Type.Object({ maps: Type.Array(ListedMapView), nextCursor: NextCursor }) },
  problems: mapProblems,
  audience: everybody,
  run: async ({ db, query, depends }) => {
    const { sort = 'newest', ranking = 'a', limit = defaultPageSize, before } = query
    const list = mapList(sort, ranking)
    const after = readCursor(list, before)
    const [named, folded] = await Promise.all([findNamed(db, namesOf(query)), foldTexts(db, query)])
    const question = mapQuestion({ ...query, difficulty: difficultyOf(query.difficulty) }, named, folded)
    if (folded.words?.length === 0) return { maps: [], nextCursor: null }
    const found = await searchMaps(db, { sort, ranking, question, limit, after })
    const listed = await listMaps(db, found.guids)
    // Only the first page without filters is cached, because no event announces every change of the others. It depends
    // on `playedTag`, too, because changes of listings touch that tag.
    if (isPlain(query)) depends(poolsTag, playedTag, ...found.guids)
    return { maps: listed.map(listedMapView), nextCursor: nextCursor(list, found) }
  },
})

function namesOf({ tournament, pool, unused }: Pick<Static<typeof MapQuery>, 'tournament' | 'pool' | 'unused'>) {
  return { tournament, pool, unused }
}

/** @throws Problem `archive.difficulty_unknown` */
function difficultyOf(text: string | undefined): Difficulty | undefined {
  if (text === undefined) return undefined
  const read = readDifficulty(text)
  if (!read.ok) throw invalid('archive.difficulty_unknown', `\`difficulty\` ${read.reason}.`)
  return read.value
}

/** Whether the query asks for the first page of the whole list. */
function isPlain({ sort: _sort, limit: _limit, ...others }: object & { sort?: unknown; limit?: unknown }): boolean {
  return Object.values(others).every((value) => value === undefined)
}

const map = query({
  name: 'archive.map',
  method: 'GET',
  path: '/resources/pooling/maps/:mapGuid',
  scope: 'public',
  allow: anyone,
  summary: 'A map that stands in a published pool, where it was used and what was played on it.',
  description:
    'A map that stands in no published pool is not there. Of cancelled tournaments nothing is told, though their maps are found by address.',
  reply: { 200: MapRecord },
  problems: { 'map.unknown': 404 },
  audience: everybody,
  run: async ({ db, mapGuid: guid }) => {
    const found = isGuid(guid) ? await findMap(db, normaliseGuid(guid)) : undefined
    if (found === undefined) throw missing('map.unknown', 'There is no such map.')
    const identity = identityOf(found.map)
    const [uses, tallies] = await Promise.all([listUses(db, identity.guid), tallyMaps(db, [identity])])
    return mapRecord(found, uses, tallies.get(identity.guid) ?? nothingPlayed)
  },
})

const PoolQuery = Type.Object({
  q: text(100, 'Words in the names of pool, tournament and playlist; the last one may be a beginning.'),
  tournament: TournamentId,
  kind: optional(oneOf(poolKinds, { description: 'What the pools are for: matches, or a qualifier.' })),
  status: optional(
    oneOf(['published', 'archived'], { description: 'Whether the pools are in use or in the archive.' }),
  ),
  hash: Hash,
  flair: Flair,
  from: optional({ ...Instant, description: 'Pools that were published no earlier.' }),
  to: optional({ ...Instant, description: 'Pools that were published no later.' }),
  sort: optional(oneOf(poolSorts, { description: '`newest`: by publication, unless given; or by `name`.' })),
  ...Page,
})

const pools = query({
  name: 'archive.pools',
  method: 'GET',
  path: '/resources/pooling/pools',
  scope: 'public',
  allow: anyone,
  summary: 'Published pools of listed tournaments, without their maps.',
  description: shortPages,
  query: PoolQuery,
  reply: { 200: Type.Object({ pools: Type.Array(PoolSummary), nextCursor: NextCursor }) },
  problems: { 'tournament.unknown': 400, 'tournament.invalid': 400, 'archive.range_invalid': 400 },
  audience: everybody,
  run: async ({ db, query, depends, services }) => {
    const { sort = 'newest', limit = defaultPageSize, before } = query
    const list = poolList(sort)
    const after = readCursor(list, before)
    const { tournament } = query
    const window = { from: readDate('from', query.from), to: readDate('to', query.to) }
    const [named, folded] = await Promise.all([
      findNamed(db, { tournament, pool: undefined, unused: undefined }),
      foldTexts(db, query),
    ])
    const question = poolQuestion(query, window, named, folded)
    if (folded.words?.length === 0) return { pools: [], nextCursor: null }
    const found = await searchPools(db, { sort, question, limit, after })
    const listed = await listPools(db, found.guids)
    if (isPlain(query)) depends(poolsTag, playedTag, ...listed.map(({ tournament: { guid } }) => guid))
    const { publicUrl } = services.config
    return { pools: listed.map((pool) => poolSummary(pool, publicUrl)), nextCursor: nextCursor(list, found) }
  },
})

const poolPath = `${tournamentPath}/pools/:pool` as const

const statistics = query({
  name: 'archive.poolStatistics',
  method: 'GET',
  path: `${poolPath}/statistics`,
  scope: 'public',
  allow: anyone,
  summary: 'What was played on the maps of a pool.',
  description:
    'The sum over the maps that the caller sees, and each of them: how they fared in the matches that were begun with the pool and are completed, and the scores of the tournament’s qualifier once it is final.',
  reply: { 200: PoolStatistics },
  run: async ({ db, actor, tournament, pool }) => {
    const shown = (await listWholeMaps(db, [pool.guid])).filter((poolMap) => maySeeMap(actor, pool, poolMap))
    const { total, maps } = await tallyPool(db, tournament.guid, shown)
    return {
      ...statisticsView(total),
      maps: maps.map(({ poolMap: { guid, mapGuid, map }, tally }) => ({
        poolMapGuid: guid,
        mapGuid,
        name: map.name,
        statistics: statisticsView(tally),
      })),
    }
  },
})

const duplicates = query({
  name: 'archive.duplicates',
  method: 'GET',
  path: `${poolPath}/duplicates`,
  scope: 'rest:read',
  allow: poolers,
  summary: 'The maps of a pool that were used before, and where.',
  description:
    'In other pools of the tournament, drafts too, and in published ones of other tournaments of the last two years; each map with its newest twenty uses.',
  reply: { 200: Duplicates },
  run: async ({ db, tournament, pool, now }) => {
    const whole = await listWholeMaps(db, [pool.guid])
    const used = await listUsedBefore(db, {
      tournamentGuid: tournament.guid,
      maps: whole.map(({ mapGuid, map: { hash, key } }) => ({ mapGuid, hash, key })),
      now,
      exceptPoolGuid: pool.guid,
    })
    return whole.flatMap((poolMap) => {
      const before = used.get(poolMap.mapGuid)
      return before === undefined ? [] : [duplicateView(poolMap, before)]
    })
  },
})

export const archiveOperations = [maps, map, pools, statistics, duplicates]
