import { readClock } from '../../../../infra/db/clock.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { findServer } from '../../streamServers/store.ts'
import type { StreamServer } from '../../streamServers/types.ts'
import { readTerms } from '../queries.ts'
import { noticeMs, type Terms, unwatchedMs } from '../rules.ts'
import { lockAnyKeyForKeyShare, lockKeyForKeyShare } from '../store/publishing.ts'
import { changeTerms, listLive, lockDue, lockSession, type Which } from '../store/sessions.ts'
import type { StreamSession } from '../types.ts'
import { emitOffline, emitOnline, endStreams } from './ending.ts'

/**
 * Checks live streams after an assignment was created, changed, cancelled or deleted, or after its tournament ended. A
 * stream without a valid assignment ends a minute later. A test with a valid assignment becomes a stream. (S4, S11)
 */
export async function judgeAssigned(
  tx: Tx,
  which: Extract<Which, { readonly user: string } | { readonly tournament: string }>,
  now: Date,
): Promise<void> {
  const soon = new Date(now.getTime() + noticeMs)
  for (const { guid } of await listLive(tx, which)) {
    const session = await lockSession(tx, guid)
    if (session === undefined || session.endedAt !== null) continue
    const terms = await termsNow(tx, session, now)
    // A test keeps its end. A stream that was let in by an assignment does not become a test.
    if (terms !== null && !terms.test) await settle(tx, session, terms)
    else if (!session.test) await changeTerms(tx, guid, { endsBy: sooner(session.endsBy, soon) })
  }
}

function sooner(endsBy: Date | null, soon: Date): Date {
  return endsBy !== null && endsBy < soon ? endsBy : soon
}

/** Ends a stream whose time is over, unless another assignment lets it continue. */
export async function endDue(tx: Tx, guid: string): Promise<void> {
  const session = await lockDue(tx, guid)
  if (session === undefined) return
  const now = await readClock(tx)
  const isExpired = (await lockSessionKeyForKeyShare(tx, session)) === undefined
  const isLost = isUnwatchedForLong(session, await findServer(tx, session.serverGuid), now)
  const terms = isExpired || isLost ? null : await termsNow(tx, session, now)
  const reason = isExpired ? 'key_expired' : isLost ? 'lost' : 'assignment_ended'
  if (terms !== null && !terms.test) await settle(tx, session, terms)
  else await endStreams(tx, { session: session.guid }, { reason, actor: null, now })
}

/** The terms on which the session could be let in now. */
async function termsNow(tx: Tx, session: StreamSession, now: Date): Promise<Terms | null> {
  const server = await findServer(tx, session.serverGuid)
  if (server === undefined || !server.enabled) return null
  const key = await lockSessionKeyForKeyShare(tx, session)
  return readTerms(tx, server, session.userGuid, key?.expiresAt ?? null, now)
}

/** Locks the key that let the session in or, if that is not known, any key of the user. (S8) */
function lockSessionKeyForKeyShare(
  tx: Tx,
  { keyGuid, userGuid }: StreamSession,
): ReturnType<typeof lockKeyForKeyShare> {
  return keyGuid === null ? lockAnyKeyForKeyShare(tx, userGuid) : lockKeyForKeyShare(tx, keyGuid)
}

/** Without a control interface, the service cannot notice that a stream has ended. (S8) */
function isUnwatchedForLong({ startedAt }: StreamSession, server: StreamServer | undefined, now: Date): boolean {
  return server?.control === null && now.getTime() - startedAt.getTime() >= unwatchedMs
}

/**
 * Continues the stream on these terms. If it now belongs to another tournament or is no longer a test, this is emitted.
 */
async function settle(tx: Tx, session: StreamSession, { claim, test, endsBy }: Terms): Promise<void> {
  const tournamentGuid = claim?.tournamentGuid ?? null
  const changed = await changeTerms(tx, session.guid, {
    assignmentGuid: claim?.guid ?? null,
    tournamentGuid,
    test,
    endsBy,
  })
  if (changed === undefined) return
  const isMoved = session.test !== test || session.tournamentGuid !== tournamentGuid
  if (!isMoved) return
  emitOffline(tx, session, 'replaced', null)
  emitOnline(tx, changed)
}
