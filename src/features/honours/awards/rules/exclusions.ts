import { conflict } from '../../../../core/problem.ts'
import type { Edition } from '../types.ts'

/**
 * Votes are left out while they are counted: not before there is somebody to look at, and not when the results are known. (A7)
 * @throws Problem `award.not_counting`
 */
export function checkIsCounting({ status }: Pick<Edition, 'status'>): void {
  if (status === 'counting') return
  throw conflict('award.not_counting', 'Votes are left out, or counted again, only while the edition is `counting`.')
}
