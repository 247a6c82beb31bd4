import { missing } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { lockTournament as lockRow } from '../store/tournaments.ts'
import type { Counts, Tournament } from '../types.ts'

/**
 * Locks the tournament, under which its settings, structure, teams and registrations change one after the other, and reads
 * it as it is now. Whether the caller still may is the kernel's to see to, at the commit.
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
