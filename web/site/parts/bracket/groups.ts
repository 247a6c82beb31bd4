import type { Standing } from '../../../../client/generated.ts'

/** Groups of a round robin, by their letters and with their tables. */

/** A, B, C …; numbers after Z. */
export const groupName = (group: number): string =>
  group < 26 ? String.fromCharCode('A'.charCodeAt(0) + group) : String(group + 1)

/** The tables by their group; the only group of a round robin has no name. */
export function groupsOf(standings: readonly Standing[]): ReadonlyMap<number | null, readonly Standing[]> {
  const groups = Map.groupBy(standings, ({ groupIndex }) => groupIndex)
  return groups.size > 1 ? groups : new Map([[null, standings]])
}
