import { conflict, invalid, missing } from '../../../core/problem.ts'
import type { SpoilerMode } from '../tournaments/types.ts'

/** What is to be revealed: a match until its end, or everything. (V3) */
export type Revealed = { readonly match: string } | 'all'

/**
 * Exactly one of the members is given. (V3)
 * @throws Problem `reveal.invalid`
 */
export function readRevealed({ match, all }: { readonly match?: string; readonly all?: boolean }): Revealed {
  if (match !== undefined && all === undefined) return { match }
  if (match === undefined && all === true) return 'all'
  throw invalid('reveal.invalid', 'Give either `match`, or `all` as true.')
}

/**
 * Only a held tournament has something to reveal. (V3)
 * @throws Problem `spoiler.not_held`
 */
export function checkHeld(mode: SpoilerMode): void {
  if (mode !== 'held') throw conflict('spoiler.not_held', 'Everybody sees this tournament as it is: nothing is held.')
}

/**
 * A match is revealed until its end, so it must have one. (V3)
 * @throws Problem `match.unknown`, `match.not_completed`
 */
export function checkEnded(match: { readonly status: string } | undefined): void {
  if (match === undefined) throw missing('match.unknown', 'There is no such match in this tournament.')
  if (match.status !== 'completed') throw conflict('match.not_completed', 'The match is not completed yet.')
}
