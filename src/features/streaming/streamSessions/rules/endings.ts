import type { EndReason } from '../types.ts'

const needsNoCut: ReadonlySet<EndReason> = new Set(['done', 'replaced', 'lost'])

/** What has ended by itself, or is gone, needs no cutting; a successor takes the place of the one before. (S9) */
export function mustBeCut(reason: EndReason): boolean {
  return !needsNoCut.has(reason)
}
