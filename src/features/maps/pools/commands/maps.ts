import { isDeepStrictEqual } from 'node:util'
import { conflict, invalid } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import type { CatalogueMap, KeptMap } from '../../catalogue/types.ts'
import type { Reader } from '../queries/pools.ts'
import { unknownPoolMap } from '../resolve.ts'
import { defaultMapSettings, type MapSettingsInput, maxMaps, readMapSettings } from '../rules/maps.ts'
import { checkReleaseAt } from '../rules/publishing.ts'
import { checkFlair } from '../rules/settings.ts'
import { listFlairs } from '../store/flairs.ts'
import { deletePoolMaps, insertPoolMaps, type NewPoolMap, orderPoolMaps, updatePoolMap } from '../store/maps.ts'
import type { Pool, PoolMapSettings, WholePoolMap } from '../types.ts'
import { changeMaps, type Done, poolFull, type Writing } from './changing.ts'

type Surroundings = Pick<Reader, 'publicUrl'>

/** A map to add to a pool, with its settings. */
export interface Addition {
  readonly map: Pick<CatalogueMap, 'guid'>
  readonly settings: MapSettingsInput
  readonly suggestionGuid?: string
  /** Data from the import that adds the map. */
  readonly told?: KeptMap | null
}

/**
 * Adds a map at the end of a pool.
 * @returns its GUID in the pool
 * @throws Problem the problems of `changeMaps`, `pool.map_twice`, `pool.map_invalid`, `flair.unknown`
 */
export async function addMap(
  tx: Tx,
  writing: Writing,
  poolGuid: string,
  addition: Addition,
  reason: string | null,
  around: Surroundings,
): Promise<string> {
  let added: string | undefined
  await changeMaps(
    tx,
    writing,
    poolGuid,
    {
      reason,
      work: async (pool, maps) => {
        if (maps.some(({ mapGuid }) => mapGuid === addition.map.guid)) throw mapTwice()
        const [guid] = await appendMaps(tx, writing, pool, maps, [addition])
        added = guid
        return guid === undefined ? null : { kind: 'added', before: [], after: [guid] }
      },
    },
    around,
  )
  if (added === undefined) throw new Error('an added map has no GUID')
  return added
}

export function mapTwice() {
  return conflict('pool.map_twice', 'The map stands in this pool already.')
}

/**
 * Adds maps at the end of a pool, in the given order. Call within `changeMaps`.
 * @returns their GUIDs in the pool
 */
export async function appendMaps(
  tx: Tx,
  { actor, now }: Writing,
  pool: Pool,
  maps: readonly WholePoolMap[],
  additions: readonly Addition[],
): Promise<readonly string[]> {
  if (maps.length + additions.length > maxMaps) throw poolFull()
  const flairs = await listFlairs(tx, pool.tournamentGuid)
  const rows = additions.map(({ map, settings: input, suggestionGuid = null, told = null }, index): NewPoolMap => {
    const settings = readMapSettings(input, defaultMapSettings)
    checkFlair(settings.flairGuid, flairs)
    checkReleaseAt(settings.releaseAt, pool, now)
    const isReleased = pool.status === 'published' && settings.releaseAt === null
    return {
      ...settings,
      mapGuid: map.guid,
      order: maps.length + index,
      addedByGuid: actor.guid,
      suggestionGuid,
      told,
      releasedAt: isReleased ? now : null,
    }
  })
  return (await insertPoolMaps(tx, pool.guid, rows, now)).map(({ guid }) => guid)
}

/** Settings of a map that every pooler may change, in any status of the pool. (pools: Who may do what) */
const staffMembers: ReadonlySet<string> = new Set(['staffNote', 'reason'])

/**
 * Changes the given settings of a map in a pool.
 * @throws Problem the problems of `changeMaps`, `pool.map_unknown`, `pool.map_invalid`, `flair.unknown`
 */
export async function editMap(
  tx: Tx,
  writing: Writing,
  address: { readonly poolGuid: string; readonly guid: string },
  input: MapSettingsInput,
  reason: string | null,
  around: Surroundings,
): Promise<void> {
  const names = Object.keys(input).filter((name) => !staffMembers.has(name))
  const work = async (pool: Pool, maps: readonly WholePoolMap[]): Promise<Done | null> => {
    const before = findIn(maps, address.guid)
    const settings = readMapSettings(input, before)
    if (settings.flairGuid !== before.flairGuid)
      checkFlair(settings.flairGuid, await listFlairs(tx, pool.tournamentGuid))
    const changes = differingOf(before, settings)
    if (Object.keys(changes).length === 0) return null
    const isReleaseMoved = 'releaseAt' in changes
    if (isReleaseMoved) {
      if (before.releasedAt !== null) {
        throw invalid('pool.map_invalid', 'The map was released already; take it out to hide it.')
      }
      checkReleaseAt(settings.releaseAt, pool, writing.now)
    }
    const isReleasedNow = isReleaseMoved && settings.releaseAt === null && pool.status === 'published'
    await updatePoolMap(tx, before.guid, { ...changes, ...(isReleasedNow ? { releasedAt: writing.now } : {}) })
    const kind = isReleasedNow ? 'added' : 'edited'
    return { kind, before: isReleasedNow ? [] : [before.guid], after: [before.guid] }
  }
  const isAmongStaff = names.length === 0
  await changeMaps(tx, writing, address.poolGuid, { reason, work, isAmongStaff }, around)
}

function differingOf(before: PoolMapSettings, after: PoolMapSettings): Partial<PoolMapSettings> {
  const names = (Object.keys(after) as (keyof PoolMapSettings)[]).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )
  return Object.fromEntries(names.map((name) => [name, after[name]]))
}

/** @throws Problem the problems of `changeMaps`, `pool.map_unknown` */
export async function removeMap(
  tx: Tx,
  writing: Writing,
  address: { readonly poolGuid: string; readonly guid: string },
  reason: string | null,
  around: Surroundings,
): Promise<void> {
  const work = async (_pool: Pool, maps: readonly WholePoolMap[]): Promise<Done> => {
    const { guid } = findIn(maps, address.guid)
    await deletePoolMaps(tx, [guid])
    await orderPoolMaps(
      tx,
      maps.map((map) => map.guid).filter((other) => other !== guid),
    )
    return { kind: 'removed', before: [guid], after: [] }
  }
  await changeMaps(tx, writing, address.poolGuid, { reason, work }, around)
}

/**
 * Replaces a map; the new one keeps the flair, flags and options of the old one. A GUID in a pool always names the same
 * map, so the new one gets a new GUID. (pools: Version watch, rule 4)
 * @returns the GUID of the new map in the pool
 * @throws Problem the problems of `changeMaps`, `pool.map_unknown`, `pool.map_twice`
 */
export async function replaceMap(
  tx: Tx,
  writing: Writing,
  address: { readonly poolGuid: string; readonly guid: string },
  map: Pick<CatalogueMap, 'guid'>,
  reason: string | null,
  around: Surroundings,
): Promise<string> {
  let added: string | undefined
  const work = async (_pool: Pool, maps: readonly WholePoolMap[]): Promise<Done | null> => {
    const before = findIn(maps, address.guid)
    if (maps.some(({ mapGuid }) => mapGuid === map.guid)) throw mapTwice()
    const { guid, poolGuid: _owner, map: _map, flair: _flair, createdAt: _at, ...kept } = before
    await deletePoolMaps(tx, [guid])
    const row: NewPoolMap = { ...kept, mapGuid: map.guid, addedByGuid: writing.actor.guid, suggestionGuid: null }
    const [made] = await insertPoolMaps(tx, address.poolGuid, [row], writing.now)
    if (made === undefined) return null
    added = made.guid
    return { kind: 'replaced', before: [guid], after: [made.guid] }
  }
  await changeMaps(tx, writing, address.poolGuid, { reason, work }, around)
  if (added === undefined) throw new Error('a replaced map has no GUID')
  return added
}

/**
 * Sorts the maps of a pool. The new order must name each map once.
 * @throws Problem the problems of `changeMaps`, `pool.order_incomplete`
 */
export async function orderMaps(
  tx: Tx,
  writing: Writing,
  poolGuid: string,
  wanted: { readonly draftRevision: number; readonly maps: readonly string[]; readonly reason: string | null },
  around: Surroundings,
): Promise<void> {
  const guids = wanted.maps.map((guid) => guid.toLowerCase())
  const work = async (_pool: Pool, maps: readonly WholePoolMap[]): Promise<Done | null> => {
    const named = new Set(guids)
    if (guids.length !== maps.length || !maps.every(({ guid }) => named.has(guid))) {
      throw invalid('pool.order_incomplete', 'Name every map of the pool exactly once.')
    }
    const moved = maps.filter(({ guid }, index) => guids[index] !== guid).map(({ guid }) => guid)
    if (moved.length === 0) return null
    await orderPoolMaps(tx, guids)
    return { kind: 'reordered', before: moved, after: moved }
  }
  await changeMaps(tx, writing, poolGuid, { reason: wanted.reason, seen: wanted.draftRevision, work }, around)
}

function findIn(maps: readonly WholePoolMap[], guid: string): WholePoolMap {
  const found = maps.find((map) => map.guid === guid)
  if (found === undefined) throw unknownPoolMap()
  return found
}
