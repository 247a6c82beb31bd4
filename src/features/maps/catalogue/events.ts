import type { Event, EventTable, MembersOf } from '../../../core/events.ts'
import type { CatalogueMap } from './types.ts'

/** Two maps are of the same song if they have the same hash or the same key. */
export type Song = Pick<CatalogueMap, 'hash' | 'key'>

/**
 * Tags for maps of these songs. They are touched when such a map becomes visible to everybody in a pool of any
 * tournament, because poolers see this use next to their own maps of the songs. A use that is shown already depends on
 * the tournament of its pool instead.
 */
export function songTags(songs: readonly Song[]): readonly string[] {
  return [...new Set(songs.flatMap(({ hash, key }) => (key === null ? [hash] : [hash, key])))].map(
    (mark) => `song ${mark}`,
  )
}

export type MapChange = MembersOf<CatalogueMap, 'state' | 'currentHash'>

/**
 * Events of a map that all tournaments share. They are private, because they would reveal maps in drafts; they touch
 * the tournaments that contain the map. They are emitted for any change in the catalogue's data, but contain only the
 * state.
 */
export type CatalogueEvent =
  /** The catalogue answered for the first time about a map; with an actor, they have imported what is known of it. */
  | Event<'map.resolved', { before: MapChange; after: MapChange }>
  /** The catalogue's data about a map changed. */
  | Event<'map.changed', { before: MapChange; after: MapChange }>
  /** The catalogue confirmed its data about some maps. */
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
