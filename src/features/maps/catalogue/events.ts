import type { Event, EventTable, MembersOf } from '../../../core/events.ts'
import type { CatalogueMap } from './types.ts'

/** What tells that two maps are of the same song: either of these. */
export type Song = Pick<CatalogueMap, 'hash' | 'key'>

/**
 * Touched where everybody comes to see maps of these songs in a pool, of whichever tournament: poolers are shown it beside maps of
 * the same songs. What is shown already depends on the tournament of its pool instead.
 */
export function songTags(songs: readonly Song[]): readonly string[] {
  return [...new Set(songs.flatMap(({ hash, key }) => (key === null ? [hash] : [hash, key])))].map(
    (mark) => `song ${mark}`,
  )
}

export type MapChange = MembersOf<CatalogueMap, 'state' | 'currentHash'>

/**
 * Happen to a map of all tournaments, and touch those in which it stands: to outsiders they would tell of drafts. They stand
 * for everything that the catalogue said anew, of which they tell the state alone.
 */
export type CatalogueEvent =
  /** The catalogue answered about a map that it had not answered about before. */
  | Event<'map.resolved', { before: MapChange; after: MapChange }>
  /** The catalogue says something else than before. */
  | Event<'map.changed', { before: MapChange; after: MapChange }>
  /** The catalogue says of maps what it said before. */
  | Event<'map.checked', { subject: null }>

declare module '../../../core/events.ts' {
  interface Events {
    catalogue: CatalogueEvent
  }
}

const members = { state: 'private', currentHash: 'private' } as const

export const catalogueEvents: EventTable<CatalogueEvent> = {
  'map.resolved': { subject: 'map', members },
  'map.changed': { subject: 'map', members },
  'map.checked': { subject: null },
}
