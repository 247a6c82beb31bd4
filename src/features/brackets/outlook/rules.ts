import { conflict } from '../../../core/problem.ts'
import type { PlayersAttempts } from '../../../engine/outlook/qualifier.ts'
import type { Bracket } from '../brackets/types.ts'
import type { Usage } from './types.ts'

export type TableFormat = 'round_robin' | 'swiss'

/**
 * An outlook exists only for tables whose first criterion is points: other criteria depend on the scores of matches,
 * not only on who wins them. (match-flows: Spectators, rule 2)
 * @throws Problem `outlook.not_a_table`, `outlook.not_by_points`
 */
export function readTable({ format, settings }: Pick<Bracket, 'format' | 'settings'>): TableFormat {
  if (format !== 'round_robin' && format !== 'swiss') {
    throw conflict(
      'outlook.not_a_table',
      'An elimination has no table; ask for the outlook of a round robin or a Swiss bracket.',
    )
  }
  if (settings.tieBreakers[0] !== 'points') {
    throw conflict(
      'outlook.not_by_points',
      'The first tie-breaker of this bracket is not points, so that points do not decide.',
    )
  }
  return format
}

/**
 * The attempts that a player has left on a map. An attempt that has begun and has no known end is used up, but its
 * result may still arrive. (additions: Qualifiers; additions: Details, 10)
 * @param limit attempts of a player on each map; 0 for no limit, null if no attempt can be made any more
 */
export function attemptsOf(usage: Usage | undefined, limit: number | null): PlayersAttempts {
  if (limit === null) return { left: 0, isPending: false }
  if (limit === 0) return { left: Number.POSITIVE_INFINITY, isPending: false }
  return { left: Math.max(0, limit - (usage?.used ?? 0)), isPending: (usage?.pending ?? 0) > 0 }
}
