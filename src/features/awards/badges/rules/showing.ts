import { normaliseGuid } from '../../../../core/ids.ts'
import { invalid } from '../../../../core/problem.ts'
import type { Grant } from '../types.ts'

/** A holder's choice of order and hidden badges, as GUIDs of grants. */
export interface ShownAs {
  /** The grants that come first, in this order. All others follow, newest first. */
  readonly order?: readonly string[]
  /** All hidden grants. Every other grant is shown. */
  readonly hidden?: readonly string[]
}

/**
 * Holders may order and hide only grants that they hold: not revoked ones, and not those of others. (B2; badges:
 * Operations)
 * @throws Problem `badge.grant_not_own`
 */
export function readChoice({ order, hidden }: ShownAs, held: readonly Pick<Grant, 'guid'>[]): ShownAs {
  const own = new Set(held.map(({ guid }) => guid))
  const read = (member: string, given: readonly string[]) => {
    const guids = [...new Set(given.map(normaliseGuid))]
    if (guids.some((guid) => !own.has(guid))) {
      throw invalid('badge.grant_not_own', `"${member}" may only list GUIDs of grants that you hold.`)
    }
    return guids
  }
  return {
    ...(order === undefined ? {} : { order: read('order', order) }),
    ...(hidden === undefined ? {} : { hidden: read('hidden', hidden) }),
  }
}
