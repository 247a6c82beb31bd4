import type { Tx } from '../../../../infra/db/database.ts'
import { listLiveSessions } from '../store/sessions.ts'
import { openSession, writeRows } from './log.ts'

/**
 * Ends all running and paused sessions of a cancelled tournament, with their clocks. (match-flows: Who wins a map, and
 * the match, rule 5)
 */
export async function endSessions(tx: Tx, tournamentGuid: string, by: string | null): Promise<void> {
  for (const guid of await listLiveSessions(tx, tournamentGuid)) await endCancelled(tx, guid, by)
}

/** Checks again under the session's lock, since the session may have ended meanwhile. */
export async function endCancelled(tx: Tx, guid: string, by: string | null): Promise<void> {
  const open = await openSession(tx, guid)
  if (open === undefined || open.machine.ending !== null) return
  await writeRows(tx, open, [{ kind: 'finish', data: { winner: null, reason: 'cancelled' } }], by)
}
