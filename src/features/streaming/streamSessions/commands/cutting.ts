import type { SignedIn } from '../../../../core/actor.ts'
import { conflict } from '../../../../core/problem.ts'
import type { ControlAddress } from '../../../../infra/clients/media-servers/types.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { enqueue, type JobContext } from '../../../../infra/jobs/jobs.ts'
import { controlOf } from '../../streamServers/queries.ts'
import { findServer, noteControl } from '../../streamServers/store.ts'
import type { StreamServer } from '../../streamServers/types.ts'
import { streamTag } from '../events.ts'
import { settlingMs } from '../rules.ts'
import { findLive, findSession, lockSession, setCut } from '../store/sessions.ts'
import type { StreamSession } from '../types.ts'
import { cutJobName, endStreams } from './ending.ts'
import { outcomeOf } from './failures.ts'

/** Cuts a stream at the request of staff. (streaming: Stream operations) */
export async function cutStream(
  tx: Tx,
  actor: SignedIn,
  { guid }: StreamSession,
  reason: string,
  now: Date,
): Promise<void> {
  const session = await lockSession(tx, guid)
  if (session === undefined || session.endedAt !== null) {
    throw conflict('stream_session.not_live', 'The stream has ended already.')
  }
  await endStreams(tx, { session: guid }, { reason: 'cut', actor: actor.guid, words: reason, now })
  const { userGuid: user, tournamentGuid } = session
  const event = { type: 'stream.cut', subject: guid, actor: actor.guid, after: { user, reason } } as const
  const touches = [streamTag(user)]
  if (tournamentGuid === null) emit(tx, { ...event, touches })
  else emit(tx, { ...event, touches, tournament: tournamentGuid })
}

/** The waits in milliseconds before each retry: five attempts in all, within a minute. (S9) */
const waitsMs = [2_000, 6_000, 15_000, 37_000]

export interface CutOrder {
  /** The GUID of the session. */
  readonly session: string
  /** The number of previous attempts. */
  readonly attempt: number
}

/** Asks the server to end the connection of a session that the service has ended. */
export async function askToCut(context: JobContext, { session: guid, attempt }: CutOrder): Promise<void> {
  const { database, services, now } = context
  const session = await findSession(database.db, guid)
  if (session?.cut !== 'requested') return
  const server = await findServer(database.db, session.serverGuid)
  const control = server === undefined ? null : controlOf(services.seal, server)
  if (server === undefined || control === null) {
    await database.transaction((tx) => setCut(tx, guid, 'failed'))
    return
  }
  const { result: isGone, failure } = await outcomeOf(cutOff(context, server, control, session))
  await database.transaction(async (tx) => {
    await noteControl(tx, server.guid, failure, now())
    if (isGone === true) return setCut(tx, guid, 'confirmed')
    const waitMs = waitsMs[attempt]
    if (waitMs === undefined) return setCut(tx, guid, 'failed')
    const runAt = new Date(now().getTime() + waitMs)
    await enqueue(tx, cutJobName, { payload: { session: guid, attempt: attempt + 1 }, runAt })
  })
}

/**
 * Cuts the session's connection. If the user has published again, the server has dropped the old connection already.
 * This is checked before each cut, as some kinds identify connections only by path. If two connections began at the
 * same time, the server may have kept the other one: if the session's own connection is not found, the one that the
 * server lists is cut.
 * @returns whether the stream is gone; a connection that is not listed may be just about to begin, so it counts as gone
 *   only after some time (S9)
 */
async function cutOff(
  { database, clients, now }: JobContext,
  server: StreamServer,
  control: ControlAddress,
  session: StreamSession,
): Promise<boolean> {
  const { userGuid, startedAt } = session
  const { mediaServers } = clients
  const hasReturned = async () => (await findLive(database.db, userGuid, server.guid)) !== undefined
  if (await hasReturned()) return true
  if (await mediaServers.cut(server.kind, control, session)) return true
  const isSettled = now().getTime() - startedAt.getTime() >= settlingMs
  const there = (await mediaServers.list(server.kind, control)).find((stream) => stream.userGuid === userGuid)
  if (there === undefined) return isSettled
  if (await hasReturned()) return true
  const { clientId, protocol } = there
  return mediaServers.cut(server.kind, control, { ...session, clientId, protocol: protocol ?? session.protocol })
}
