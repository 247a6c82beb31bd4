import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { UserFacts } from '../../../people/users/types.ts'
import { UserCard, userCard } from '../../../people/users/views/card.ts'
import { maxText } from '../rules/commenting.ts'
import type { Comment } from '../types.ts'

/** (pools: Records, Comment) */
export const CommentView = Type.Object(
  {
    guid: Guid,
    author: nullable(UserCard, 'null once it was deleted.'),
    text: nullable(Type.String({ maxLength: maxText }), 'Plain, never markup; null once it was deleted.'),
    replyTo: nullable(Guid, 'The comment that began the thread.'),
    createdAt: Instant,
    editedAt: nullable(Instant),
    deleted: Type.Boolean(),
  },
  { title: 'Comment' },
)

export function commentView(comment: Comment, author: UserFacts | undefined): Static<typeof CommentView> {
  const { guid, text, replyToGuid, createdAt, editedAt, deletedAt } = comment
  const isDeleted = deletedAt !== null
  return {
    guid,
    author: isDeleted || author === undefined ? null : userCard(author),
    text: isDeleted ? null : text,
    replyTo: replyToGuid,
    createdAt: formatInstant(createdAt),
    editedAt: formatInstant(editedAt),
    deleted: isDeleted,
  }
}
