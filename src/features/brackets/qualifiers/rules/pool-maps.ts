import { conflict } from '../../../../core/problem.ts'
import { webAddressFault } from '../../../../core/web.ts'
import type { QualifierMap } from '../types.ts'
import { identityOf, type MapPlan, maxMaps, planMaps } from './maps.ts'

/** A map of a pool, with its GUID in the pool. */
export type PoolSource = Omit<QualifierMap, 'order'>

/** The new maps, and the changes. */
export interface TakenMaps {
  readonly maps: readonly QualifierMap[]
  readonly added: readonly QualifierMap[]
  readonly removed: readonly QualifierMap[]
  readonly changed: readonly QualifierMap[]
  /** GUIDs of the pool's maps, by GUID of the qualifier's maps. */
  readonly links: ReadonlyMap<string, string>
}

/**
 * Plans the replacement of the qualifier's maps by those of a pool, in the pool's order. Maps with the same identity
 * keep their GUIDs and the values that the catalogue does not have. New maps take their GUIDs from the pool. (pools:
 * Which pool a match uses)
 * @param given.spare GUIDs for new maps whose own GUID is taken
 * @throws Problem `qualifier.map_played`, `qualifier.too_many_maps`
 */
export function planFromPool(
  current: readonly QualifierMap[],
  sources: readonly PoolSource[],
  { played, spare }: { readonly played: ReadonlySet<string>; readonly spare: readonly string[] },
): TakenMaps & { readonly plan: MapPlan } {
  if (sources.length > maxMaps) {
    throw conflict(
      'qualifier.too_many_maps',
      `A qualifier has at most ${maxMaps} maps; the pool has ${sources.length}.`,
    )
  }
  const known = new Map(current.map((map) => [identityOf(map), map]))
  const wanted = sources.map(({ guid: _own, ...source }, order) => {
    const before = known.get(identityOf(source))
    return {
      ...source,
      name: source.name ?? before?.name ?? null,
      artist: source.artist ?? before?.artist ?? null,
      mapper: source.mapper ?? before?.mapper ?? null,
      imageUrl: readable(source.imageUrl) ?? before?.imageUrl ?? null,
      maxScore: atLeastOne(source.maxScore) ?? before?.maxScore ?? null,
      order,
    }
  })
  const plan = planMaps(current, wanted, played)
  const gone = new Set(plan.deleted.map(({ guid }) => guid))
  const taken = new Set(current.flatMap(({ guid }) => (gone.has(guid) ? [] : [guid])))
  const ownGuids = new Map(sources.map((source) => [identityOf(source), source.guid]))
  const left = [...spare]
  const added = plan.created.map((map): QualifierMap => {
    const own = ownGuids.get(identityOf(map))
    const guid = own === undefined || taken.has(own) ? left.pop() : own
    if (guid === undefined) throw new Error('there are fewer spare GUIDs than maps')
    return { ...map, guid }
  })
  const maps = new Map([...current, ...plan.updated, ...added].map((map) => [map.guid, map]))
  const kept = [...maps.values()]
    .filter(({ guid }) => !gone.has(guid))
    .toSorted((one, other) => one.order - other.order)
  return {
    plan: { ...plan, created: added },
    maps: kept,
    links: new Map(kept.map((map) => [map.guid, ownGuids.get(identityOf(map)) ?? map.guid])),
    added,
    removed: plan.deleted,
    changed: plan.updated,
  }
}

/** Drops an invalid address of the catalogue, since the organiser cannot correct it there. */
function readable(address: string | null): string | null {
  return address === null || webAddressFault(address) !== null ? null : address
}

function atLeastOne(score: number | null): number | null {
  return score === null || score < 1 ? null : score
}
