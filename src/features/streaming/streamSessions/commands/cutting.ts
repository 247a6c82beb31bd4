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
import { settlingMs } from '../rules/publishing.ts'
import { findLive, findSession, lockSession, setCut } from '../store/sessions.ts'
import type { StreamSession } from '../types.ts'
import { cutJobName, endStreams } from './ending.ts'
import { outcomeOf } from './failures.ts'

/** Ends a stream by the word of staff. (streaming: Stream operations) */
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
  const told = { type: 'stream.cut', subject: guid, actor: actor.guid, after: { user, reason } } as const
  const touches = [streamTag(user)]
  if (tournamentGuid === null) emit(tx, { ...told, touches })
  else emit(tx, { ...told, touches, tournament: tournamentGuid })
}

/** Milliseconds before the tries that follow the first: five in all, within a minute. (S9) */
const waitsMs = [2_000, 6_000, 15_000, 37_000]

export interface CutOrder {
  /** GUID of the session. */
  readonly session: string
  /** How often it was tried before. */
  readonly attempt: number
}

/** Asks the server to end the connection of a session that has ended for us. */
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
    await noteControl(tx, server.guid, failure)
    if (isGone === true) return setCut(tx, guid, 'confirmed')
    const waitMs = waitsMs[attempt]
    if (waitMs === undefined) return setCut(tx, guid, 'failed')
    const runAt = new Date(now().getTime() + waitMs)
    await enqueue(tx, cutJobName, { payload: { session: guid, attempt: attempt + 1 }, runAt })
  })
}

/**
 * Where its user has come back, the server has let go of the old connection. That is asked before each cut: some kinds know
 * connections by their path alone. Of two that came at once the server may have taken the one that we were told of first, so
 * that where ours is not to be found, the one that it names is cut.
 * @returns whether the stream is gone: what nobody was found of may be about to begin, until it has had the time to be named (S9)
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
