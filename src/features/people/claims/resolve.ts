import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { missing, Problem } from '../../../core/problem.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { resolveTournament } from '../../tournaments/tournaments/resolve.ts'
import { unknownClaim, unknownPlace } from './rules.ts'
import { findAwaited } from './store/awaited.ts'
import { findClaim, findPlaceholder } from './store/claims.ts'

/** Resolves `:placeholder` in a path, with the actor's roles in the tournament that made it. */
export const resolvePlaceholder: Resolver = async (context, value) => {
  const record = isGuid(value) ? await findPlaceholder(context.db, normaliseGuid(value)) : undefined
  if (record === undefined) throw unknownPlaceholder()
  return { record, ...(await within(context, record.tournamentGuid, unknownPlaceholder)) }
}

/** Resolves `:awaitedPlaceholder` in a path, for its own account alone. (P6) */
export const resolveAwaited: Resolver = async ({ db, actor }, value) => {
  const chatId = actor.chatPlatformId
  const record = isGuid(value) && chatId !== null ? await findAwaited(db, normaliseGuid(value), chatId) : undefined
  if (record === undefined) throw unknownPlace()
  return { record }
}

/** Resolves `:userClaim` in a path, likewise. */
export const resolveClaim: Resolver = async (context, value) => {
  const record = isGuid(value) ? await findClaim(context.db, normaliseGuid(value)) : undefined
  if (record === undefined) throw unknownClaim()
  return { record, ...(await within(context, record.tournamentGuid, unknownClaim)) }
}

async function within({ db, actor }: Parameters<Resolver>[0], tournament: string, unknown: () => Problem) {
  try {
    const seen = await resolveTournament({ db, actor, records: {}, query: {} }, tournament)
    return { actor: seen.actor ?? actor, tournament }
  } catch (error) {
    // Who may not see the tournament does not know its people either.
    throw error instanceof Problem ? unknown() : error
  }
}

function unknownPlaceholder() {
  return missing('user.unknown', 'There is no such placeholder.')
}
