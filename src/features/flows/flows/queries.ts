import type { SignedIn } from '../../../core/actor.ts'
import { missing } from '../../../core/problem.ts'
import { findPreset } from '../../../engine/flows/presets.ts'
import type { Db } from '../../../infra/db/database.ts'
import { maySeeTournament } from '../../tournaments/tournaments/policy.ts'
import { findTournamentFor } from '../../tournaments/tournaments/store/tournaments.ts'
import { findFlow } from './store/flows.ts'
import { findPlanned, type PlannedMatch } from './store/plan.ts'
import type { PlannedFlow } from './types.ts'

/** What a match is played by, as it is planned; null where nothing is. (match-flows: Plan) */
export async function resolvePlannedFlow(db: Db, match: PlannedMatch): Promise<PlannedFlow | null> {
  const planned = await findPlanned(db, match)
  if (planned === null) return null
  if (planned.flowGuid === null) {
    // A preset that an earlier version had is no more planned than a flow that is gone.
    const preset = findPreset(planned.preset)
    return preset === undefined ? null : { ...planned, name: preset.title, flow: preset.flow }
  }
  const record = await findFlow(db, planned.flowGuid)
  return record === undefined ? null : { ...planned, name: record.name, flow: record.definition }
}

/**
 * How many players of a team play at a time.
 * @throws Problem `tournament.unknown`, also of one that the actor may not see
 */
export async function findTeamSize(db: Db, actor: SignedIn, identifier: string): Promise<number> {
  const seen = await findTournamentFor(db, identifier, actor.guid)
  if (seen !== undefined) {
    const { tournament, roles, isReviewer } = seen
    const here = { ...actor, isOrganiser: tournament.organiserGuid === actor.guid, roles: new Set(roles) }
    if (maySeeTournament(here, tournament, isReviewer)) return tournament.teamSizeActive
  }
  throw missing('tournament.unknown', 'There is no such tournament.')
}
