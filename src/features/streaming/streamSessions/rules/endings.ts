import type { EndReason } from '../types.ts'

const needsNoCut: ReadonlySet<EndReason> = new Set(['done', 'replaced', 'lost'])

/**
 * Whether a session that ends for this reason must be cut. A stream that has ended already or was replaced needs no
 * cut. (S9)
 */
export function mustBeCut(reason: EndReason): boolean {
  return !needsNoCut.has(reason)
}
