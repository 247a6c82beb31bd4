import { conflict, missing, type Problem } from '../../../core/problem.ts'
import type { Badge } from './types.ts'

export function unknownBadge(): Problem {
  return missing('badge.unknown', 'There is no such badge.')
}

/**
 * A retired badge stays with its holders, and is given to nobody else. (B4)
 * @throws Problem `badge.retired`
 */
export function checkIsGiven({ retiredAt }: Pick<Badge, 'retiredAt'>): void {
  if (retiredAt !== null) throw conflict('badge.retired', 'This badge is retired: it can be granted no longer.')
}
