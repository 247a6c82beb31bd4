import type { Eligibility } from '../registration/types.ts'
import type { Team } from '../teams/types.ts'
import type { DeskFilter } from './types.ts'

export const maxNoteCharacters = 2_000

/**
 * `ready` are teams without a place that could have one now, `blocked` those that do not meet all conditions, whether
 * they have a place or not. (D85; additions: Registration desk)
 */
export function isShown(
  filter: DeskFilter | undefined,
  { status }: Pick<Team, 'status'>,
  { eligible }: Pick<Eligibility, 'eligible'>,
): boolean {
  if (filter === 'ready') return eligible && status === 'unregistered'
  return filter !== 'blocked' || !eligible
}
