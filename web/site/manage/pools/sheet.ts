import type { Pool } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import type { CsvCell } from '../../parts/csv.ts'
import { difficultyOf } from '../../parts/map.tsx'
import { lengthOf } from '../../parts/numbers.ts'

/** A pool as a table for spreadsheets, drafts too. */
export function linesOf({ maps }: Pool): readonly (readonly CsvCell[])[] {
  const head = (
    ['poolers.place', 'maps.flair', 'poolers.is-tiebreaker', 'maps.map', 'poolers.artist', 'maps.mapper'] as const
  ).map((id) => words(id))
  const numbers = (
    ['maps.difficulty', 'maps.length', 'maps.nps', 'maps.key', 'poolers.modifiers', 'poolers.note'] as const
  ).map((id) => words(id))
  const lines = maps.map(({ map, flair, isTiebreaker, modifiers, note }, at): readonly CsvCell[] => [
    at + 1,
    flair?.name ?? null,
    words(isTiebreaker ? 'form.yes' : 'form.no'),
    map.name ?? map.hash,
    map.artist,
    map.mapper,
    difficultyOf(map),
    lengthOf(map.durationSeconds),
    map.nps,
    map.key,
    modifiers.join(', '),
    note,
  ])
  return [[...head, ...numbers], ...lines]
}
