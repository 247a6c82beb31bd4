import { readClock } from '../../../../infra/db/clock.ts'
import { sendAlong, type Tx } from '../../../../infra/db/database.ts'
import { findTournamentFor } from '../../../tournaments/tournaments/store/tournaments.ts'
import { endCancelled } from '../../flowSessions/commands/cancelling.ts'
import { openSession } from '../../flowSessions/commands/log.ts'
import { emitDeleted, emitOverdue, emitShown } from '../../flowSessions/commands/session-events.ts'
import { shownOf } from '../../flowSessions/rules/record.ts'
import { deleteSession, findSession, updateSession } from '../../flowSessions/store/sessions.ts'
import { openMatchOf, writeLapse } from './changing.ts'

/**
 * Changes of sessions that are due by the clock. Each is checked again under the session's lock, since another process
 * may have been faster, or a user may have acted, paused or undone meanwhile. (match-flows: Clocks, line-ups, scores)
 */

/** Writes the lapse of a step whose time is over, once. */
export async function lapseDue(tx: Tx, guid: string): Promise<void> {
  const [session, now] = await Promise.all([findSession(tx, guid), readClock(tx)])
  const tournament = session && (await findTournamentFor(tx, session.tournamentGuid, null))?.tournament
  if (session === undefined || tournament === undefined) return
  if (tournament.status === 'cancelled') {
    // The session began while the tournament was being cancelled.
    await endCancelled(tx, guid, null)
    return
  }
  const match = await openMatchOf(tx, { guid: null }, tournament, session, true, now)
  const open = await openSession(tx, guid)
  if (open !== undefined) await writeLapse(tx, tournament, open, match)
}

/** Marks a session whose time is over, so that viewers see it before the lapse is written. */
export async function markOverdue(tx: Tx, guid: string): Promise<void> {
  const open = await openSession(tx, guid)
  if (open === undefined) return
  const { record, now } = open
  if (record.isOverdue || record.dueAt === null || record.dueAt > now) return
  sendAlong(tx, updateSession(tx, { ...record, isOverdue: true }))
  emitOverdue(tx, open, record.clockNumber ?? 0)
}

/** Shows the next rows of a delayed session to outsiders. */
export async function showDue(tx: Tx, guid: string): Promise<void> {
  const open = await openSession(tx, guid)
  if (open === undefined) return
  const { record, machine, now } = open
  const shown = shownOf(record, machine, now)
  if (shown.shownPosition === record.shownPosition) return
  sendAlong(tx, updateSession(tx, { ...record, ...shown }))
  emitShown(tx, open, shown.shownPosition)
}

/** Deletes a free session that is not public after its time has expired. (match-flows: FFA) */
export async function deleteExpired(tx: Tx, guid: string): Promise<void> {
  const open = await openSession(tx, guid)
  if (open === undefined || open.record.expiresAt === null || open.record.expiresAt > open.now) return
  await deleteSession(tx, guid)
  emitDeleted(tx, open)
}
