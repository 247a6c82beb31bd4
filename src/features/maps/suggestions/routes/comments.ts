import { Type } from 'typebox'
import { Answer, command, query, tournamentPath } from '../../../../core/operation.ts'
import { NextCursor, nullable, PageQuery } from '../../../../core/schema.ts'
import { playedTag } from '../../../people/users/views.ts'
import { poolers } from '../../pools/policy.ts'
import { CommentBody, EditCommentBody } from '../bodies.ts'
import { addComment, deleteComment, editComment } from '../commands/comments.ts'
import { commentAuthors, commentRemovers, commentsAudience } from '../policy.ts'
import { readComments, viewComment } from '../queries.ts'
import { CommentView } from '../views.ts'
import { suggestionPath } from './suggestions.ts'
import { poolMapPath } from './votes.ts'

const onSuggestionPath = `${suggestionPath}/comments` as const
const onMapPath = `${poolMapPath}/comments` as const
const commentPath = `${tournamentPath}/pool-comments/:comment` as const

const CommentsView = Type.Object({ comments: Type.Array(CommentView), nextCursor: NextCursor })

const addProblems = { 'tournament.cancelled': 409, 'comment.unknown': 404, 'comment.limit_reached': 409 } as const

const listOfSuggestion = query({
  name: 'suggestions.comments',
  method: 'GET',
  path: onSuggestionPath,
  scope: 'rest:read',
  allow: poolers,
  summary: 'What poolers say of a suggestion, oldest first.',
  description: 'Replies name the comment that began their thread. Of deleted ones neither text nor author is left.',
  query: Type.Object(PageQuery),
  reply: { 200: CommentsView },
  audience: commentsAudience,
  live: {},
  run: async ({ db, tournament, suggestion, query: paging, depends }) => {
    const { authors, ...page } = await readComments(db, { suggestionGuid: suggestion.guid }, paging)
    depends(tournament.guid, suggestion.guid, playedTag, ...authors)
    return page
  },
})

const addToSuggestion = command({
  name: 'suggestions.comment',
  method: 'POST',
  path: onSuggestionPath,
  scope: 'rest:write',
  socket: true,
  allow: poolers,
  summary: 'Say something of a suggestion, to poolers.',
  description: 'Plain text, which is never markup and pings nobody. At most five hundred on each.',
  body: CommentBody,
  reply: { 201: CommentView },
  problems: addProblems,
  run: async ({ tx, actor, tournament, suggestion, body: { text, replyTo = null }, now }) => {
    const writing = { actor, tournament, now }
    return viewComment(tx, await addComment(tx, writing, { suggestionGuid: suggestion.guid }, { text, replyTo }))
  },
})

const listOfMap = query({
  name: 'poolMaps.comments',
  method: 'GET',
  path: onMapPath,
  scope: 'rest:read',
  allow: poolers,
  summary: 'What poolers say of a map in a pool, oldest first.',
  description: 'Replies name the comment that began their thread. Of deleted ones neither text nor author is left.',
  query: Type.Object(PageQuery),
  reply: { 200: CommentsView },
  audience: commentsAudience,
  live: {},
  run: async ({ db, tournament, poolMap, query: paging, depends }) => {
    const { authors, ...page } = await readComments(db, { poolMapGuid: poolMap.guid }, paging)
    depends(tournament.guid, poolMap.guid, playedTag, ...authors)
    return page
  },
})

const addToMap = command({
  name: 'poolMaps.comment',
  method: 'POST',
  path: onMapPath,
  scope: 'rest:write',
  socket: true,
  allow: poolers,
  summary: 'Say something of a map in a pool, to poolers.',
  description: 'Plain text, which is never markup and pings nobody. At most five hundred on each.',
  body: CommentBody,
  reply: { 201: CommentView },
  problems: { ...addProblems, 'pool.map_unknown': 404 },
  run: async ({ tx, actor, tournament, poolMap, body: { text, replyTo = null }, now }) => {
    const writing = { actor, tournament, now }
    return viewComment(tx, await addComment(tx, writing, { poolMapGuid: poolMap.guid }, { text, replyTo }))
  },
})

const update = command({
  name: 'poolComments.update',
  method: 'PATCH',
  path: commentPath,
  scope: 'rest:write',
  socket: true,
  allow: commentAuthors,
  summary: 'Say otherwise what one wrote within the last 15 minutes.',
  description: 'Everybody sees when. After that it stays as it is, or is deleted.',
  body: EditCommentBody,
  reply: { 200: CommentView },
  problems: { 'tournament.cancelled': 409, 'comment.deleted': 409, 'comment.too_late': 409 },
  run: async ({ tx, actor, tournament, comment, body, now }) =>
    viewComment(tx, await editComment(tx, { actor, tournament, now }, comment.guid, body.text)),
})

const remove = command({
  name: 'poolComments.delete',
  method: 'DELETE',
  path: commentPath,
  scope: 'rest:write',
  socket: true,
  allow: commentRemovers,
  summary: 'Delete a comment of one’s own or, as a head, of anybody; what was answered to it stays.',
  description: 'At any time. That there was one is still seen, neither whose nor what it said.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'tournament.cancelled': 409 },
  run: async ({ tx, actor, tournament, comment, now }) => {
    await deleteComment(tx, { actor, tournament, now }, comment.guid)
    return new Answer(204)
  },
})

export const commentsOperations = [listOfSuggestion, addToSuggestion, listOfMap, addToMap, update, remove]
