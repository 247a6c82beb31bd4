import { normaliseGuid } from '../../../../core/ids.ts'
import { invalid } from '../../../../core/problem.ts'
import type { Grant } from '../types.ts'

/** How a holder has their badges shown, by the GUIDs of grants. */
export interface ShownAs {
  /** Which stand first; all others stand behind them, the newest first. */
  readonly order?: readonly string[]
  /** All that are hidden; every other one is shown. */
  readonly hidden?: readonly string[]
}

/**
 * A holder orders and hides what they hold, and nothing else: what was revoked, or is somebody else's, is not theirs. (B2; badges:
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
