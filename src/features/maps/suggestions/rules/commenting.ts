import { conflict } from '../../../../core/problem.ts'
import type { Comment } from '../types.ts'

/** What poolers say of suggestions and maps. (pools: Suggestions, votes, comments, rule 5) */

/** Of a suggestion or a map, deleted ones among them. */
export const maxComments = 500
export const maxText = 2_000

const editableMs = 15 * 60_000

/** @throws Problem `comment.limit_reached` */
export function checkRoom(count: number): void {
  if (count >= maxComments)
    throw conflict('comment.limit_reached', `There can be at most ${maxComments} comments here.`)
}

/**
 * A comment is edited within 15 minutes: later, others have answered what it said.
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
