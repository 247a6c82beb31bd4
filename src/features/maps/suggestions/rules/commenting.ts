import { conflict } from '../../../../core/problem.ts'
import type { Comment } from '../types.ts'

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
