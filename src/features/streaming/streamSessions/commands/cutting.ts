import type { SignedIn } from '../../../../core/actor.ts'
import { conflict } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { enqueue, type JobContext } from '../../../../infra/jobs/jobs.ts'
import { controlOf } from '../../streamServers/queries.ts'
import { findServer, noteControl } from '../../streamServers/store.ts'
import { streamTag } from '../events.ts'
import { findLive, findSession, lockSession, setCut } from '../store/sessions.ts'
import type { StreamSession } from '../types.ts'
import { cutJobName, endStreams } from './ending.ts'
import { failureOf } from './failures.ts'

/** Ends a stream by the word of staff. (2.3) */
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
  const { database, services, clients, now } = context
  const session = await findSession(database.db, guid)
  if (session?.cut !== 'requested') return
  const server = await findServer(database.db, session.serverGuid)
  const control = server === undefined ? null : controlOf(services.seal, server)
  if (server === undefined || control === null) {
    await database.transaction((tx) => setCut(tx, guid, 'failed'))
    return
  }
  // Where its user has come back meanwhile, the server has let go of the old connection; some know them by their path alone.
  const successor = await findLive(database.db, session.userGuid, session.serverGuid)
  const cut = (clientId: string | null) => clients.mediaServers.cut(server.kind, control, { ...session, clientId })
  // Of two that came at once the server may have taken the one that we were told of first: then it is cut by the path.
  const cutWhoever = async () => (await cut(session.clientId)) || (session.clientId !== null && (await cut(null)))
  const failure = successor === undefined ? await failureOf(cutWhoever()) : null
  await database.transaction(async (tx) => {
    if (successor === undefined) await noteControl(tx, server.guid, failure)
    if (failure === null) return setCut(tx, guid, 'confirmed')
    const waitMs = waitsMs[attempt]
    if (waitMs === undefined) return setCut(tx, guid, 'failed')
    const runAt = new Date(now().getTime() + waitMs)
    await enqueue(tx, cutJobName, { payload: { session: guid, attempt: attempt + 1 }, runAt })
  })
}
