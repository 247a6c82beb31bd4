import type { SignedIn } from '../../../core/actor.ts'
import { missing } from '../../../core/problem.ts'
import type { Db } from '../../../infra/db/database.ts'
import { maySeeTournament } from '../../tournaments/tournaments/policy.ts'
import { findTournamentFor } from '../../tournaments/tournaments/store/tournaments.ts'

/**
 * The number of players of a team that play at the same time.
 * @throws Problem `tournament.unknown`, also for a tournament that the actor may not see
 */
export async function findTeamSize(db: Db, actor: SignedIn, identifier: string): Promise<number> {
  const seen = await findTournamentFor(db, identifier, actor.guid)
  if (seen !== undefined) {
    const { tournament, isOrganiser, roles, isReviewer } = seen
    const here = { ...actor, isOrganiser, roles: new Set(roles) }
    if (maySeeTournament(here, tournament, isReviewer)) return tournament.teamSizeActive
  }
  throw missing('tournament.unknown', 'There is no such tournament.')
}
