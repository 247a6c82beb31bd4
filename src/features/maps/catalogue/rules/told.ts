import type { Answer, CatalogueMap, KeptMap, ToldMap } from '../types.ts'

/**
 * A map as one pool shows it: where the catalogue says nothing of its name, mapper or key, the pool has those of its own import. If
 * that key leads to another version, the map is outdated there. No other pool learns of it. (D71; pools: What outsiders see)
 */
export function withTold(map: CatalogueMap, told: KeptMap | null): CatalogueMap {
  if (told === null || map.state === 'known') return map
  const { key, name, mapper, currentHash } = told
  const named = { ...map, key: map.key ?? key, name: map.name ?? name, mapper: map.mapper ?? mapper }
  const isOutdated = map.state === 'missing' && map.key === null && currentHash !== null
  return isOutdated ? { ...named, state: 'outdated', currentHash } : named
}

/** Nobody renames what has a name: a later import adds what was not told before. null where nothing is told. (D71) */
export function keptOf(before: KeptMap | null, told: ToldMap | null | undefined): KeptMap | null {
  if (told == null || (told.key ?? told.name ?? told.mapper) === null) return before
  return {
    key: before?.key ?? told.key,
    name: before?.name ?? told.name,
    mapper: before?.mapper ?? told.mapper,
    currentHash: before?.currentHash ?? null,
  }
}

/** What an answer by the key that was told says of the map. (D71) */
export function led(kept: KeptMap | null, answer: Answer): KeptMap | null {
  if (kept === null || answer.outcome === 'unreachable' || answer.byKey === undefined) return kept
  if (answer.byKey.key !== kept.key) return kept
  if (answer.outcome === 'unknown') return { ...kept, currentHash: null }
  const { hash, name, mapper } = answer.song
  return { ...kept, name: kept.name ?? name, mapper: kept.mapper ?? mapper, currentHash: hash }
}
