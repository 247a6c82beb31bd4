import { conflict } from '../../../../core/problem.ts'
import type { PoolStatus } from '../../pools/types.ts'
import type { SuggestionStatus } from '../types.ts'

/** Rules for when poolers may vote. (pools: Suggestions, votes, comments, rule 4) */

/** Voting on a suggestion ends when it is decided; voting on a map ends when its pool is published. */
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
