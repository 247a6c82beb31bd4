import { Refusal } from '../../../../core/operation.ts'
import { readClock } from '../../../../infra/db/clock.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { findTournamentFor } from '../../../tournaments/tournaments/store/tournaments.ts'
import { findPlay } from '../store/plays.ts'
import { findProposal } from '../store/proposals.ts'
import { readSettings } from '../store/settings.ts'
import { acceptProposal } from './accepting.ts'
import { leaveToOperators } from './proposing.ts'

/**
 * Accepts a due proposal without warnings in the name of the service. It is checked again under the locks, because an
 * operator or another process may have decided first. (AS20)
 */
export async function acceptDue(tx: Tx, guid: string): Promise<void> {
  const found = await findProposal(tx, guid)
  const now = await readClock(tx)
  if (found === undefined || found.acceptAt === null || found.acceptAt > now || found.status !== 'proposed') return
  const [seen, play] = await Promise.all([
    findTournamentFor(tx, found.tournamentGuid, null),
    findPlay(tx, found.playGuid),
  ])
  if (seen === undefined || play === undefined) return
  const { autoAcceptMs } = await readSettings(tx, play.guid)
  if (autoAcceptMs === null || found.warnings.length > 0) return leaveToOperators(tx, guid)
  const accepted = await acceptProposal(tx, { guid: null }, seen.tournament, found, {}, now)
  // What was saved on the way, such as a lapsed clock, is committed.
  if (accepted instanceof Refusal) await leaveToOperators(tx, guid)
}
