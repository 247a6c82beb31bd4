import { conflict } from '../../../../core/problem.ts'
import type { PoolStatus } from '../../pools/types.ts'
import type { SuggestionStatus } from '../types.ts'

/** When poolers vote. (pools: Suggestions, votes, comments, rule 4) */

/** Votes on a suggestion end with its decision, those on a map with the publication of its pool. */
export function isVotable(status: SuggestionStatus | PoolStatus): boolean {
  return status === 'open' || status === 'draft'
}

/** @throws Problem `vote.closed` */
export function checkVotable(status: SuggestionStatus | PoolStatus): void {
  if (isVotable(status)) return
  throw conflict(
    'vote.closed',
    'Votes are taken on suggestions that are open, and on maps of pools that are not published.',
  )
}
