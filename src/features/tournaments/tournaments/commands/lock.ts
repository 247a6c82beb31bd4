import { missing } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { lockTournament as lockRow } from '../store/tournaments.ts'
import type { Counts, Tournament } from '../types.ts'

/**
 * Locks the tournament and returns its current state. The lock serialises changes of its settings, structure, teams and
 * registrations. The kernel checks at the commit whether the caller still has the right.
 * @throws Problem `tournament.unknown`
 */
export async function lockTournament(
  tx: Tx,
  guid: string,
): Promise<{ readonly tournament: Tournament; readonly counts: Counts }> {
  const locked = await lockRow(tx, guid)
  if (locked === undefined) throw missing('tournament.unknown', 'There is no such tournament.')
  return locked
}
