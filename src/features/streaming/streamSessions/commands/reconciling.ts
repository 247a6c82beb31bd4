import pLimit from 'p-limit'
import { Unreachable } from '../../../../infra/clients/http.ts'
import type { ControlAddress, ServedStream } from '../../../../infra/clients/media-servers/types.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import type { JobContext } from '../../../../infra/jobs/jobs.ts'
import { controlOf } from '../../streamServers/queries.ts'
import { pathOf } from '../../streamServers/rules/watching.ts'
import { listEnabledServers, noteControl } from '../../streamServers/store.ts'
import type { StreamServer } from '../../streamServers/types.ts'
import { settlingMs } from '../rules.ts'
import { countMissed, listLiveOfServer, putHealth } from '../store/sessions.ts'
import type { Health, StreamSession } from '../types.ts'
import { endStreams } from './ending.ts'
import { outcomeOf } from './failures.ts'
import { adopt } from './publishing.ts'

/** Asks the servers regularly which streams they have, since hooks get lost. (S8) */

/** A session is lost once its server has not listed it this many times in a row. */
const maxMissed = 2
const serversAtOnce = 4

/** @param signal aborts when another process may have taken over */
export async function reconcileAll(context: JobContext, signal: AbortSignal): Promise<void> {
  const servers = await listEnabledServers(context.database.db)
  const limit = pLimit(serversAtOnce)
  await Promise.all(
    servers.map((server) =>
      limit(async () => {
        if (signal.aborted) return
        await reconcile(context, server, signal).catch((err: unknown) =>
          context.log.error({ err, server: server.guid }, 'reconciling streams'),
        )
      }),
    ),
  )
}

async function reconcile(context: JobContext, server: StreamServer, signal: AbortSignal): Promise<void> {
  const { database, services, clients, now } = context
  const control = controlOf(services.seal, server)
  if (control === null) return
  const askedAt = now()
  const { streams, failure } = await ask(context, server, control)
  if (signal.aborted) return
  await database.transaction((tx) => noteControl(tx, server.guid, failure, now()))
  if (streams === null) return
  const served = new Map(streams.flatMap((stream) => (stream.userGuid === null ? [] : [[stream.userGuid, stream]])))
  const live = await database.transaction((tx) => compare(tx, server, served, { askedAt, now: now() }))
  showHealth(context, live, served)
  const known = new Set(live.map(({ userGuid }) => userGuid))
  const unknown = [...served].filter(([userGuid]) => !known.has(userGuid))
  for (const [userGuid, stream] of unknown) {
    if (signal.aborted) return
    const { protocol, clientId } = stream
    const found = { protocol: protocol ?? ('rtmp' as const), clientId, path: pathOf(userGuid) }
    const mayStay = await database.transaction((tx) => adopt(tx, { server, userGuid, found, askedAt, now: now() }))
    if (mayStay) continue
    const { failure: refusal } = await outcomeOf(clients.mediaServers.cut(server.kind, control, { userGuid, ...found }))
    if (refusal !== null) await database.transaction((tx) => noteControl(tx, server.guid, refusal, now()))
  }
}

/**
 * Asks a server for its streams. If nothing listens on the server, it has no streams; after any other failure, its
 * streams are unknown (null).
 */
async function ask(
  { clients }: JobContext,
  { kind }: StreamServer,
  control: ControlAddress,
): Promise<{ readonly streams: readonly ServedStream[] | null; readonly failure: Unreachable | null }> {
  try {
    return { streams: await clients.mediaServers.list(kind, control), failure: null }
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return { streams: error.reason === 'refused' ? [] : null, failure: error }
  }
}

/**
 * Compares the server's streams with the sessions and updates them.
 * @returns the sessions that were live before
 */
async function compare(
  tx: Tx,
  server: StreamServer,
  served: ReadonlyMap<string, ServedStream>,
  { askedAt, now }: { readonly askedAt: Date; readonly now: Date },
): Promise<StreamSession[]> {
  await endStreams(tx, { keylessAt: server.guid }, { reason: 'key_revoked', actor: null, now })
  const live = await listLiveOfServer(tx, server.guid)
  const seen = live.filter(({ userGuid }) => served.has(userGuid))
  const old = askedAt.getTime() - settlingMs
  const missed = live.filter(({ userGuid, startedAt }) => !served.has(userGuid) && startedAt.getTime() < old)
  await countMissed(tx, guidsOf(seen), guidsOf(missed))
  for (const { guid, missed: before } of missed) {
    if (before + 1 >= maxMissed) await endStreams(tx, { session: guid }, { reason: 'lost', actor: null, now })
  }
  const rows = seen.map(({ guid, userGuid }) => ({
    sessionGuid: guid,
    ...healthOf(served.get(userGuid) as ServedStream, askedAt),
  }))
  await putHealth(tx, rows)
  return live
}

function guidsOf(sessions: readonly StreamSession[]): string[] {
  return sessions.map(({ guid }) => guid)
}

function healthOf({ width, height, fps, videoKbps, audioKbps, readers }: ServedStream, at: Date): Health {
  return { at, width, height, fps, videoKbps, audioKbps, readers }
}

/** Shows staff the quality of the streams, as the server reports it. (RT21) */
function showHealth(
  { services, now }: JobContext,
  live: readonly StreamSession[],
  served: ReadonlyMap<string, ServedStream>,
): void {
  const at = now()
  for (const { guid, userGuid, tournamentGuid } of live) {
    const stream = served.get(userGuid)
    if (stream === undefined || tournamentGuid === null) continue
    const { at: _, ...value } = healthOf(stream, at)
    const topic = `/tournaments/${tournamentGuid}/streams/health`
    services.realtime.ephemeral.put(topic, `session:${guid}`, value, 'server')
  }
}
