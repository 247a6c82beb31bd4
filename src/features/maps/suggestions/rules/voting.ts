import { conflict } from '../../../../core/problem.ts'
import type { PoolStatus } from '../../pools/types.ts'
import type { SuggestionStatus } from '../types.ts'

/** When poolers vote, and who sees how. (pools: Suggestions, votes, comments, rule 4) */

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

interface Voting {
  readonly isHead: boolean
  readonly hidesVotes: boolean
  readonly isOpen: boolean
  readonly hasVoted: boolean
}

/**
 * How others vote is hidden from poolers until they have voted themselves, so that nobody votes as others do; heads see it
 * always, everybody once voting is over.
 */
export function seesVotes({ isHead, hidesVotes, isOpen, hasVoted }: Voting): boolean {
  return isHead || !hidesVotes || !isOpen || hasVoted
}
