import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { missing } from '../../../core/problem.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { isPooler } from '../../tournaments/access/policy.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { maySeeSuggestion } from './policy.ts'
import { findComment } from './store/comments.ts'
import { findSuggestion } from './store/suggestions.ts'
import type { Comment, Suggestion } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    suggestion: Suggestion
    comment: Comment
  }
}

/**
 * Resolves `:suggestion` in an address, a GUID, within the tournament of the address. A suggestion that the actor may
 * not see counts as unknown. (D5)
 */
export const resolveSuggestion: Resolver = async ({ db, actor, records }, value) => {
  const tournament = records.tournament as Tournament
  const record = isGuid(value) ? await findSuggestion(db, normaliseGuid(value)) : undefined
  if (record?.tournamentGuid !== tournament.guid || !maySeeSuggestion(actor, record)) throw unknownSuggestion()
  return { record }
}

/** Resolves `:comment` in an address. Only poolers use it. */
export const resolveComment: Resolver = async ({ db, actor, records }, value) => {
  const tournament = records.tournament as Tournament
  const record = isPooler(actor) && isGuid(value) ? await findComment(db, normaliseGuid(value)) : undefined
  if (record?.tournamentGuid !== tournament.guid) throw unknownComment()
  return { record }
}

export function unknownSuggestion() {
  return missing('suggestion.unknown', 'There is no such suggestion.')
}

export function unknownComment() {
  return missing('comment.unknown', 'There is no such comment.')
}
