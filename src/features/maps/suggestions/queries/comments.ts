import type { Static } from 'typebox'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../../core/page.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { listComments } from '../store/comments.ts'
import type { Comment, Target } from '../types.ts'
import { type CommentView, commentView } from '../views/comment.ts'

export interface Paging {
  readonly limit?: number
  readonly before?: string
}

const listName = 'pool_comments'

/** Returns one page of the comments on a target, with the GUIDs of the users to show. */
export async function readComments(db: Db, target: Target, { limit = defaultPageSize, before }: Paging) {
  const after = decodeCursor(listName, before, isMakingPosition)
  const rows = await listComments(db, target, { after, limit })
  const { items, nextCursor } = toPage(listName, rows, limit, makingPosition)
  return { comments: await viewComments(db, items), nextCursor, authors: authorsOf(items) }
}

function authorsOf(comments: readonly Comment[]): string[] {
  return [...new Set(comments.filter(({ deletedAt }) => deletedAt === null).map(({ authorGuid }) => authorGuid))]
}

async function viewComments(db: Db, comments: readonly Comment[]): Promise<Static<typeof CommentView>[]> {
  const users = await listUserFacts(db, authorsOf(comments))
  return comments.map((comment) => commentView(comment, users.get(comment.authorGuid)))
}

export async function viewComment(db: Db, comment: Comment): Promise<Static<typeof CommentView>> {
  const [view] = await viewComments(db, [comment])
  if (view === undefined) throw new Error('one comment was asked for')
  return view
}
