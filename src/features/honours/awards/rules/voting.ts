import type { Edition } from '../types.ts'

/** A runoff is a round of its own: the votes of the first are counted already. (A9) */
export function roundOf({ runoffCategories }: Pick<Edition, 'runoffCategories'>): 1 | 2 {
  return runoffCategories === null ? 1 : 2
}
