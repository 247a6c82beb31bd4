import { commitmentOf } from '../../../../engine/flows/draws.ts'
import type { TieRuling } from '../../../brackets/brackets/types.ts'
import type { Lie } from './lies.ts'

interface Ruled {
  readonly guid: string
  readonly ruling: TieRuling | null
}

const isSeed = /^(?:[0-9a-f]{64})+$/

/**
 * The seed of a draw among tied teams is what was committed to, with 32 bytes for each tie; an order by somebody has none.
 * (P6) The drawn order itself is taken as it is: it was drawn with GUIDs, and those of a copy are others.
 */
export function rulingLie(kind: 'brackets' | 'qualifier', { guid, ruling }: Ruled): Lie | null {
  const words = ruling === null ? null : faultOf(ruling)
  return words === null ? null : { kind, member: 'ruling', of: { guid }, words }
}

function faultOf({ decidedBy, ties, commitment, seed }: TieRuling): string | null {
  if (decidedBy === 'order') {
    return (commitment ?? seed ?? null) === null ? null : 'has a seed, although an order decides'
  }
  if (typeof seed !== 'string') return null
  if (!isSeed.test(seed) || seed.length !== ties.length * 64) return 'must have a seed of 32 bytes for each tie'
  return commitmentOf(Buffer.from(seed, 'hex')) === commitment ? null : 'has a seed that it did not commit to'
}
