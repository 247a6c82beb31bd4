import { type Cell, type For, toCsv } from '../../../../core/csv.ts'
import type { WholePoolMap } from '../types.ts'

/** The maps of a pool for spreadsheets, one row each. (pools: Playlist and CSV) */

/** What poolers see besides: who added a map, and its votes where they may be seen. */
export interface PoolerFacts {
  /** Names of users by their GUIDs. */
  readonly names: ReadonlyMap<string, string>
  /** By the GUIDs of maps in the pool; those whose votes are hidden from the viewer are left out. */
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
 * A whole file of the maps that the viewer sees, in order. `order` counts these alone, from 0 as everywhere.
 * @param facts null for outsiders and for those who read a pool early: their file has no columns for poolers
 */
export function poolCsv(maps: readonly WholePoolMap[], facts: PoolerFacts | null, purpose?: For): string {
  const shown = facts === null ? columns : [...columns, ...poolerColumns(facts)]
  return toCsv(
    shown.map(([name]) => name),
    maps.map((map, place) => shown.map(([, cell]) => cell(map, place))),
    { for: purpose },
  )
}
