import { type Actor, type Audience, isSignedIn, policy } from '../../../core/actor.ts'
import { forbidden } from '../../../core/problem.ts'
import { headPoolerAudience, isHeadPooler, isPooler, poolerAudience } from '../../tournaments/access/policy.ts'
import { poolers } from '../pools/policy.ts'
import type { PoolingSettings } from '../pools/types.ts'
import type { Comment, Suggestion } from './types.ts'

/** Poolers see all suggestions. Other users see only their own. (pools: Suggestions, votes, comments) */
export function maySeeSuggestion(actor: Actor, { suggestedByGuid }: Pick<Suggestion, 'suggestedByGuid'>): boolean {
  return isPooler(actor) || (isSignedIn(actor) && actor.guid === suggestedByGuid)
}

/**
 * Poolers may suggest maps. With `openSuggestions`, so may everybody who may see the tournament.
 * (pools: Suggestions, votes, comments)
 * @throws Problem `role.missing`
 */
export function checkMaySuggest(actor: Actor, { openSuggestions }: Pick<PoolingSettings, 'openSuggestions'>): void {
  if (openSuggestions || isPooler(actor)) return
  throw forbidden('role.missing', `Only ${poolers.who} may do this.`)
}

interface OfSuggestion {
  readonly suggestion: Suggestion
}

export const suggesters = policy<OfSuggestion>(
  'whoever made the suggestion',
  (actor, { suggestion }) => actor.guid === suggestion.suggestedByGuid,
  isSignedIn,
)

interface OfComment {
  readonly comment: Comment
}

export const commentAuthors = policy<OfComment>(
  'whoever wrote the comment',
  (actor, { comment }) => isPooler(actor) && actor.guid === comment.authorGuid,
  isPooler,
)

export const commentRemovers = policy<OfComment>(
  'whoever wrote the comment, and the organiser, admins and head poolers of the tournament,',
  (actor, { comment }) => isHeadPooler(actor) || (isPooler(actor) && actor.guid === comment.authorGuid),
  isPooler,
)

/** All poolers see the same comments. */
export const commentsAudience: Audience = (actor) => {
  if (isHeadPooler(actor)) return headPoolerAudience
  return isPooler(actor) ? poolerAudience : null
}
