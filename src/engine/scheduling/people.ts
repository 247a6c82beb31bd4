import { byText } from './grid.ts'
import type { SchedulingMatch } from './types.ts'

/**
 * The people in each match, as indexes: first the officials in their given order, then others. A person who is in one
 * match only and is no official is left out. People in the same matches count as one.
 */
export function peopleOf(
  matches: readonly SchedulingMatch[],
  officials: readonly string[],
): { readonly held: readonly (readonly number[])[]; readonly population: number } {
  const holders = new Map<string, number[]>()
  for (const [index, { people }] of matches.entries()) {
    for (const person of new Set(people)) {
      const own = holders.get(person)
      if (own === undefined) holders.set(person, [index])
      else own.push(index)
    }
  }
  const officialIndexes = new Map(officials.map((id, index) => [id, index]))
  const groups = new Map<string, number>()
  const held = matches.map((): number[] => [])
  for (const [person, indexes] of [...holders].sort(([a], [b]) => byText(a, b))) {
    const official = officialIndexes.get(person)
    const group = indexes.join()
    if (official === undefined && (indexes.length === 1 || groups.has(group))) continue
    if (official === undefined) groups.set(group, officials.length + groups.size)
    for (const index of indexes) held[index]?.push(official ?? (groups.get(group) as number))
  }
  return { held, population: officials.length + groups.size }
}
