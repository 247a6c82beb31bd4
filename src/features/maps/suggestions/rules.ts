import { conflict } from '../../../core/problem.ts'
import type { PoolStatus } from '../pools/types.ts'
import type { Comment, Suggestion, SuggestionStatus } from './types.ts'

/** Rules for the comments of poolers on suggestions and maps. (pools: Suggestions, votes, comments, rule 5) */

/** Maximum number of comments on a suggestion or a map, deleted ones included. */
export const maxComments = 500
export const maxText = 2_000

const editableMs = 15 * 60_000

/** @throws Problem `comment.limit_reached` */
export function checkRoom(count: number): void {
  if (count >= maxComments)
    throw conflict('comment.limit_reached', `There can be at most ${maxComments} comments here.`)
}

/**
 * A comment may be edited for 15 minutes. Later edits would change what others have already answered.
 * @throws Problem `comment.too_late`, `comment.deleted`
 */
export function checkEditable({ createdAt, deletedAt }: Pick<Comment, 'createdAt' | 'deletedAt'>, now: Date): void {
  if (deletedAt !== null) throw conflict('comment.deleted', 'The comment was deleted.')
  if (now.getTime() - createdAt.getTime() <= editableMs) return
  throw conflict('comment.too_late', 'A comment can be edited for 15 minutes; write another one.')
}

/** Threads are one deep: a reply to a reply joins its thread. */
export function threadOf({ guid, replyToGuid }: Pick<Comment, 'guid' | 'replyToGuid'>): string {
  return replyToGuid ?? guid
}

/** Limits on the number of suggestions, and the rules for their status. (pools: Suggestions, votes, comments) */

/** Maximum number of open suggestions of a user who is no pooler. */
export const maxOpenOfOne = 20
/** Maximum number of open suggestions of a tournament. */
export const maxOpen = 2_000
/**
 * Maximum number of suggestions of one user in a tournament, of any status. Without it, a user who withdraws each
 * suggestion could make them without end.
 */
export const maxOfOne = { pooler: maxOpen, other: 200 } as const
export const maxNote = 1_000

/**
 * Checks the limits of one user. A user who is no pooler may have only a few open suggestions. Closed ones are kept, so
 * their number is limited, too. (pools: Suggestions, votes, comments, rule 1; D8)
 * @throws Problem `suggestion.too_many`, `suggestion.limit_reached`
 */
export function checkOwn({ all, open }: { readonly all: number; readonly open: number }, isPooler: boolean): void {
  if (!isPooler && open >= maxOpenOfOne) {
    throw conflict(
      'suggestion.too_many',
      `You have ${maxOpenOfOne} suggestions that are open; withdraw one, or wait until one is decided.`,
    )
  }
  const most = maxOfOne[isPooler ? 'pooler' : 'other']
  if (all < most) return
  throw conflict(
    'suggestion.limit_reached',
    `You have made ${most} suggestions in this tournament, as many as one may; change one that is open instead.`,
  )
}

/** @throws Problem `suggestion.limit_reached` */
export function checkAllOpen(count: number): void {
  if (count < maxOpen) return
  throw conflict('suggestion.limit_reached', `At most ${maxOpen} suggestions of a tournament can be open.`)
}

/** @param guid of an open suggestion of the same map */
export function suggestionExists(guid: string) {
  return conflict('suggestion.exists', 'The map is suggested already.', { suggestionGuid: guid })
}

type Step = 'changed' | 'accepted' | 'rejected' | 'withdrawn' | 'reopened'

const from: Readonly<Record<Step, readonly SuggestionStatus[]>> = {
  changed: ['open'],
  accepted: ['open'],
  rejected: ['open'],
  withdrawn: ['open'],
  reopened: ['rejected', 'withdrawn'],
}

/**
 * An open suggestion may be edited, decided or withdrawn. A rejected or withdrawn one may be reopened. An accepted one
 * is final. (pools: Suggestions, votes, comments, rule 3)
 * @throws Problem `suggestion.wrong_status`
 */
export function checkStep({ status }: Pick<Suggestion, 'status'>, step: Step): void {
  if (from[step].includes(status)) return
  throw conflict('suggestion.wrong_status', `A suggestion that is ${status} cannot be ${step}.`)
}

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
