import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { missing, Problem } from '../../../core/problem.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { resolvePlatform } from '../../listing/platforms/resolve.ts'
import { resolveTournament } from '../../tournaments/tournaments/resolve.ts'
import { maySeeMedium } from './policy.ts'
import { findMedium } from './store/media.ts'
import type { Medium } from './types.ts'

export function unknownMedium(): Problem {
  return missing('media.unknown', 'There is no such medium.')
}

/** Resolves `:media` in an address, with the actor's roles in its tournament or on its platform. (D5) */
export const resolveMedium: Resolver = async (context, value) => {
  const record = isGuid(value) ? await findMedium(context.db, normaliseGuid(value)) : undefined
  if (record === undefined) throw unknownMedium()
  const seen = await placeOf(context, record)
  const actor = seen?.actor ?? context.actor
  if (!maySeeMedium(actor, record)) throw unknownMedium()
  return { record, actor, ...(seen?.tournament === undefined ? {} : { tournament: seen.tournament }) }
}

/**
 * Returns the medium's tournament or platform with the actor's roles there; null for user media, and if the actor may
 * not see that place.
 */
async function placeOf(context: Parameters<Resolver>[0], { tournament, platform }: Medium) {
  const found =
    tournament !== null
      ? resolveTournament(context, tournament.guid)
      : platform !== null
        ? resolvePlatform(context, platform.contextId)
        : null
  return found === null ? null : found.catch(hidden)
}

function hidden(error: unknown): null {
  if (error instanceof Problem) return null
  throw error
}
