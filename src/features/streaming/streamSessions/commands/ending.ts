import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { enqueue } from '../../../../infra/jobs/jobs.ts'
import { notify } from '../../../people/notifications/commands.ts'
import { streamTag } from '../events.ts'
import { endingNotice, mustBeCut } from '../rules.ts'
import { endLive, type Which } from '../store/sessions.ts'
import type { EndReason, StreamSession } from '../types.ts'

export const cutJobName = 'stream_sessions.cut'

export interface EndingOrder {
  readonly reason: EndReason
  /** The GUID of the user who ended the stream; null for the service itself. */
  readonly actor: string | null
  /** The reason that the staff gave for the cut. */
  readonly words?: string
  readonly now: Date
}

/**
 * Ends the live streams that meet the condition. The service counts them as ended immediately, and nobody may watch
 * them any more. A job tells their server after the commit. (S9)
 */
export async function endStreams(tx: Tx, which: Which, order: EndingOrder): Promise<StreamSession[]> {
  const { reason, actor, now, words = null } = order
  const mustCut = mustBeCut(reason)
  const ended = await endLive(tx, which, { reason, cut: mustCut ? 'requested' : null, now })
  for (const session of ended) {
    if (mustCut) await enqueue(tx, cutJobName, { payload: { session: session.guid, attempt: 0 } })
    const notice = endingNotice(session, reason, words)
    if (notice !== null) await notify(tx, { userGuid: session.userGuid, ...notice })
    emitOffline(tx, session, reason, actor)
  }
  return ended
}

export function emitOffline(tx: Tx, session: StreamSession, endReason: EndReason, actor: string | null): void {
  const { guid: subject, userGuid: user, tournamentGuid, test } = session
  const common = { subject, actor, before: { user }, after: { endReason }, touches: [streamTag(user)] }
  if (test) emit(tx, { type: 'stream.test_ended', ...common })
  else if (tournamentGuid === null) emit(tx, { type: 'stream.offline', ...common })
  else emit(tx, { type: 'stream.offline', ...common, tournament: tournamentGuid })
}

export function emitOnline(tx: Tx, session: StreamSession): void {
  const { guid: subject, userGuid: user, tournamentGuid, test } = session
  const common = { subject, actor: user, after: { user }, touches: [streamTag(user)] }
  if (test) emit(tx, { type: 'stream.test_started', ...common })
  else if (tournamentGuid === null) emit(tx, { type: 'stream.online', ...common })
  else emit(tx, { type: 'stream.online', ...common, tournament: tournamentGuid })
}
