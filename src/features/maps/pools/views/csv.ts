import { type Cell, type For, toCsv } from '../../../../core/csv.ts'
import type { WholePoolMap } from '../types.ts'

/** Writes the maps of a pool as a table, one row per map. (pools: Playlist and CSV) */

/** Data for poolers: the user who added each map, and the votes if they may be seen. */
export interface PoolerFacts {
  /** Names of users, by GUID. */
  readonly names: ReadonlyMap<string, string>
  /** By GUID of the map in the pool. Leaves out maps whose votes the viewer may not see. */
  readonly tallies: ReadonlyMap<string, { readonly up: number; readonly neutral: number; readonly down: number }>
}

type Column = readonly [name: string, cell: (map: WholePoolMap, place: number) => Cell]

const columns: readonly Column[] = [
  ['order', (_, place) => place],
  ['flair', ({ flair }) => flair?.name ?? null],
  ['tiebreaker', ({ isTiebreaker }) => (isTiebreaker ? 'yes' : 'no')],
  ['name', ({ map }) => map.name],
  ['sub name', ({ map }) => map.subName],
  ['artist', ({ map }) => map.artist],
  ['mapper', ({ map }) => map.mapper],
  ['key', ({ map }) => map.key],
  ['hash', ({ map }) => map.hash],
  ['characteristic', ({ map }) => map.characteristic],
  ['difficulty', ({ map }) => map.difficulty],
  ['bpm', ({ map }) => map.bpm],
  ['njs', ({ map }) => map.njs],
  ['nps', ({ map }) => map.nps],
  ['seconds', ({ map }) => map.durationSeconds],
  ['notes', ({ map }) => map.notes],
  ['max score', ({ map }) => map.maxScore],
  ['stars A', ({ map }) => map.starsA],
  ['stars B', ({ map }) => map.starsB],
  ['modifiers', ({ modifiers }) => modifiers.join(' ')],
  ['note', ({ note }) => note],
]

function poolerColumns({ names, tallies }: PoolerFacts): readonly Column[] {
  return [
    ['state', ({ map }) => map.state],
    ['added by', ({ addedByGuid }) => names.get(addedByGuid ?? '') ?? null],
    ['staff note', ({ staffNote }) => staffNote],
    ['up', ({ guid }) => tallies.get(guid)?.up ?? null],
    ['neutral', ({ guid }) => tallies.get(guid)?.neutral ?? null],
    ['down', ({ guid }) => tallies.get(guid)?.down ?? null],
  ]
}

/**
 * Returns the whole file with the maps that the viewer sees, in order. `order` counts only these maps, from 0.
 * @param facts null for outsiders and early readers: their file has no columns for poolers
 */
export function poolCsv(maps: readonly WholePoolMap[], facts: PoolerFacts | null, purpose?: For): string {
  const shown = facts === null ? columns : [...columns, ...poolerColumns(facts)]
  return toCsv(
    shown.map(([name]) => name),
    maps.map((map, place) => shown.map(([, cell]) => cell(map, place))),
    { for: purpose },
  )
}
