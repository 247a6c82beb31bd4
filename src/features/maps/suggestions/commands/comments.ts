import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import type { Writing } from '../../pools/commands/changing.ts'
import { unknownComment } from '../resolve.ts'
import { checkEditable, checkRoom, threadOf } from '../rules.ts'
import { findComment, insertComment, lockComment, lockCommenting, updateComment } from '../store/comments.ts'
import type { Comment, Target } from '../types.ts'

export interface Said {
  readonly text: string
  /** GUID of the comment that this comment answers. */
  readonly replyTo: string | null
}

/**
 * Adds a comment to a suggestion or to a map of a pool. (pools: Suggestions, votes, comments, rule 5)
 * @throws Problem `tournament.cancelled`, `comment.unknown`, `comment.limit_reached`; `pool.map_unknown` by a
 *   constraint
 */
export async function addComment(
  tx: Tx,
  { actor, tournament, now }: Writing,
  target: Target,
  { text, replyTo }: Said,
): Promise<Comment> {
  checkNotCancelled(tournament)
  const { count, last } = await lockCommenting(tx, target)
  checkRoom(count)
  const replyToGuid = replyTo === null ? null : await findThread(tx, target, replyTo.toLowerCase())
  const createdAt = last === null || last < now ? now : new Date(last.getTime() + 1)
  const said = { tournamentGuid: tournament.guid, authorGuid: actor.guid, text, replyToGuid, createdAt }
  const comment = await insertComment(tx, target, said)
  const common = { tournament: tournament.guid, actor: actor.guid }
  const after = { commentGuid: comment.guid, replyTo: replyToGuid }
  if ('suggestionGuid' in target) {
    emit(tx, { ...common, type: 'suggestion.commented', subject: target.suggestionGuid, after })
  } else {
    emit(tx, { ...common, type: 'suggestion.map_commented', subject: target.poolMapGuid, after })
  }
  return comment
}

/** Returns the GUID of the first comment in the thread of a comment. Comments on another target count as unknown. */
async function findThread(tx: Tx, target: Target, guid: string): Promise<string> {
  const comment = await findComment(tx, guid)
  if (comment === undefined) throw unknownComment()
  const isHere =
    'suggestionGuid' in target
      ? comment.suggestionGuid === target.suggestionGuid
      : comment.poolMapGuid === target.poolMapGuid
  if (!isHere) throw unknownComment()
  return threadOf(comment)
}

/** @throws Problem `tournament.cancelled`, `comment.unknown`, `comment.deleted`, `comment.too_late` */
export async function editComment(
  tx: Tx,
  { actor, tournament, now }: Writing,
  guid: string,
  text: string,
): Promise<Comment> {
  checkNotCancelled(tournament)
  const before = await lock(tx, guid)
  checkEditable(before, now)
  if (before.text === text) return before
  const comment = await updateComment(tx, guid, { text, editedAt: now })
  const common = { tournament: tournament.guid, actor: actor.guid, touches: targetOf(comment) }
  emit(tx, { ...common, type: 'suggestion.comment_edited', subject: guid })
  return comment
}

/**
 * Deletes a comment's text. The comment itself and its replies stay.
 * @throws Problem `tournament.cancelled`, `comment.unknown`
 */
export async function deleteComment(tx: Tx, { actor, tournament, now }: Writing, guid: string): Promise<void> {
  checkNotCancelled(tournament)
  const before = await lock(tx, guid)
  if (before.deletedAt !== null) return
  const comment = await updateComment(tx, guid, { text: null, deletedAt: now })
  const common = { tournament: tournament.guid, actor: actor.guid, touches: targetOf(comment) }
  emit(tx, { ...common, type: 'suggestion.comment_deleted', subject: guid })
}

async function lock(tx: Tx, guid: string): Promise<Comment> {
  const comment = await lockComment(tx, guid)
  if (comment === undefined) throw unknownComment()
  return comment
}

function targetOf({ suggestionGuid, poolMapGuid }: Comment): string[] {
  return [suggestionGuid ?? poolMapGuid ?? '']
}
