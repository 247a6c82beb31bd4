import type { Policy, SignedIn } from '../../../../core/actor.ts'
import { forbidden, missing } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { lockTournament } from '../store/tournaments.ts'
import type { Counts, Tournament } from '../types.ts'

/**
 * Locks the tournament and asks the policy again: it may have changed hands or been deleted since the caller was let in.
 * @throws Problem `tournament.unknown`, `role.missing`
 */
export async function lockFor(
  tx: Tx,
  actor: SignedIn,
  guid: string,
  policy: Policy,
): Promise<{ tournament: Tournament; counts: Counts }> {
  const locked = await lockTournament(tx, guid)
  if (locked === undefined) throw missing('tournament.unknown', 'There is no such tournament.')
  const here = { ...actor, isOrganiser: locked.tournament.organiserGuid === actor.guid }
  if (!policy.allows(here, {})) throw forbidden('role.missing', `Only ${policy.who} may do this.`)
  return locked
}
