import { missing } from '../../../core/problem.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { maySeeTournament } from './policy.ts'
import { findTournamentFor } from './store/tournaments.ts'
import type { Tournament } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    tournament: Tournament
  }
}

/**
 * Resolves `:tournament` in a path and adds the actor's roles in it. A tournament that the actor may not see is
 * answered as unknown. (D5, D25)
 */
export const resolveTournament: Resolver = async ({ db, actor }, value) => {
  const seen = await findTournamentFor(db, value, actor.guid)
  if (seen !== undefined) {
    const here = {
      ...actor,
      isOrganiser: seen.isOrganiser,
      roles: new Set(seen.roles),
      platformRole: seen.systemRole,
    }
    if (maySeeTournament(here, seen.tournament, seen.isReviewer)) {
      const { guid, rehearsalOf } = seen.tournament
      return { record: seen.tournament, actor: here, tournament: guid, isRehearsal: rehearsalOf !== null }
    }
  }
  throw missing('tournament.unknown', 'There is no such tournament.')
}
