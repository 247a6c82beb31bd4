import type { Answer, CatalogueMap, ImportedMap, KeptMap } from '../types.ts'

/**
 * Returns a map as one pool shows it. If the catalogue gives no name, mapper or key, the pool shows those of its own
 * import. If that key leads to another version, the map is outdated in this pool. No other pool shows this data.
 * (D71; pools: What outsiders see)
 */
export function withImportData(map: CatalogueMap, imported: KeptMap | null): CatalogueMap {
  if (imported === null || map.state === 'known') return map
  const { key, name, mapper, currentHash } = imported
  const named = { ...map, key: map.key ?? key, name: map.name ?? name, mapper: map.mapper ?? mapper }
  const isOutdated = map.state === 'missing' && map.key === null && currentHash !== null
  return isOutdated ? { ...named, state: 'outdated', currentHash } : named
}

/**
 * Merges the data of a later import: it fills gaps, but never replaces a value. Returns null if no import gave any
 * data. (D71)
 */
export function keptOf(before: KeptMap | null, imported: ImportedMap | null | undefined): KeptMap | null {
  if (imported == null || (imported.key ?? imported.name ?? imported.mapper) === null) return before
  return {
    key: before?.key ?? imported.key,
    name: before?.name ?? imported.name,
    mapper: before?.mapper ?? imported.mapper,
    currentHash: before?.currentHash ?? null,
  }
}

/** Applies the catalogue's answer for the import's key to the pool's data. (D71) */
export function led(kept: KeptMap | null, answer: Answer): KeptMap | null {
  if (kept === null || answer.outcome === 'unreachable' || answer.byKey === undefined) return kept
  if (answer.byKey.key !== kept.key) return kept
  if (answer.outcome === 'unknown') return { ...kept, currentHash: null }
  const { hash, name, mapper } = answer.song
  return { ...kept, name: kept.name ?? name, mapper: kept.mapper ?? mapper, currentHash: hash }
}
