import type { Standing, WithdrawalPolicy } from '../../../../engine/types.ts'
import type { Placement } from '../../../tournaments/tournaments/types.ts'

/** The table of one bracket. */
export interface Table {
  readonly isCompleted: boolean
  readonly rows: readonly Pick<Standing, 'rank' | 'team'>[]
  readonly withdrawn: ReadonlyMap<string, WithdrawalPolicy>
}

/**
 * Computes the placements of a division: first the teams of its last completed bracket, then the remaining teams of the
 * earlier brackets, the latest bracket first. Equal ranks share a place, and the next place is counted on: 1, 2, 2, 4.
 * Teams whose results do not count have no place. (additions: Tournament record; G6)
 * @param tables in the order of the brackets
 */
export function placementsOf(tables: readonly Table[]): readonly Placement[] {
  const last = tables.findLastIndex((table) => table.isCompleted)
  const places = new Map<string, number>()
  for (const { rows, withdrawn } of tables.slice(0, last + 1).reverse()) {
    const left = rows
      .filter(({ team }) => !places.has(team) && withdrawn.get(team) !== 'void')
      .toSorted((one, other) => one.rank - other.rank)
    const before = places.size
    for (const { team, rank } of left) {
      const ahead = left.findIndex((other) => other.rank === rank)
      // If both teams forfeit the final, nobody gets the first place.
      places.set(team, before === 0 ? Math.max(rank, ahead + 1) : before + ahead + 1)
    }
  }
  return [...places].map(([teamGuid, place]) => ({ place, teamGuid }))
}
