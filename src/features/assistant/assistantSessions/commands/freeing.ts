import { readClock } from '../../../../infra/db/clock.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { isStillController } from '../store/operators.ts'
import { lockSession, updateSession } from '../store/sessions.ts'
import type { AssistantSession } from '../types.ts'

/**
 * Ends control after the controller has lost the right to it. The GUID of the former controller stays stored, so that
 * the process that holds the session knows whose start must not be sent. (D76)
 */
export async function freeControl(tx: Tx, guid: string): Promise<void> {
  const session = await lockSession(tx, guid)
  if (session === undefined || session.closedAt !== null || session.controllerGuid === null) return
  // Another operator may have taken control in the meantime.
  if (await isStillController(tx, session)) return
  const now = await readClock(tx)
  if (session.controllerUntil === null || session.controllerUntil <= now) return
  await updateSession(tx, guid, { controllerUntil: now })
  emitControlEnded(tx, session, session.controllerGuid)
}

export function emitControlEnded(
  tx: Tx,
  {
    guid: subject,
    tournamentGuid: tournament,
    matchGuid: match,
  }: Pick<AssistantSession, 'guid' | 'tournamentGuid' | 'matchGuid'>,
  controller: string,
): void {
  const about = { subject, tournament, actor: null, touches: [match] }
  emit(tx, { type: 'assistant.control_ended', ...about, before: { controller }, after: { match } })
}
