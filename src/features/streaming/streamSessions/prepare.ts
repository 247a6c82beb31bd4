import { setTimeout } from 'node:timers/promises'
import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { missing, unauthenticated } from '../../../core/problem.ts'
import { mediaServerKinds } from '../../../infra/clients/media-servers/kinds.ts'
import type { HookQuestion, PublishQuestion } from '../../../infra/clients/media-servers/types.ts'
import type { Db } from '../../../infra/db/database.ts'
import { digestOf, isSame } from '../../../infra/secrets.ts'
import type { Clients, Services } from '../../../services.ts'
import { findKeyByDigest } from '../streamKeys/store/keys.ts'
import type { StreamKey } from '../streamKeys/types.ts'
import { controlOf, secretsOf } from '../streamServers/queries.ts'
import { asksFromItsPlace } from '../streamServers/rules/networks.ts'
import { findServer, listServers } from '../streamServers/store.ts'
import type { StreamServer } from '../streamServers/types.ts'
import { failureOf } from './commands/failures.ts'
import { readTerms } from './queries/terms.ts'
import { pathOf } from './rules/paths.ts'
import { findLive } from './store/sessions.ts'
import type { StreamSession } from './types.ts'

/** What is found out about a question of a media server before anything is written. */

interface Asking {
  readonly db: Db
  readonly services: Services
  readonly clients: Clients
  readonly countGuess: (address: string) => void
  readonly now: Date
}

const wrongSecret = () =>
  unauthenticated(
    'stream_server.secret_wrong',
    'The secret is not that of the media server, or it asks from elsewhere.',
  )

export const unknownServer = () => missing('stream_server.unknown', 'There is no such media server.')

/**
 * The server that an address names, once it has proved itself. A wrong secret counts as a guess; that none was sent does not.
 * (S7, S10)
 */
export async function proveServer(
  { db, services, countGuess, now }: Asking,
  guid: string,
  { address, isBare, proves }: { readonly address: string; readonly isBare: boolean; readonly proves: Proves },
): Promise<StreamServer> {
  if (isBare) throw wrongSecret()
  const server = isGuid(guid) ? await findServer(db, normaliseGuid(guid)) : undefined
  if (
    server !== undefined &&
    asksFromItsPlace(server, address) &&
    proves(server, secretsOf(services.seal, server, now))
  ) {
    return server
  }
  countGuess(address)
  throw server === undefined ? unknownServer() : wrongSecret()
}

type Proves = (server: StreamServer, secrets: readonly string[]) => boolean

/** The server whose secret it is. All secrets are compared, so that the time does not tell which was met. */
export async function findServerBySecret(
  { db, services, countGuess, now }: Asking,
  secret: string | null,
  address: string,
): Promise<StreamServer> {
  if (secret === null) throw wrongSecret()
  const met = (await listServers(db)).filter((server) =>
    secretsOf(services.seal, server, now)
      .map((known) => isSame(secret, known))
      .includes(true),
  )
  const [server] = met
  if (server !== undefined && asksFromItsPlace(server, address)) return server
  countGuess(address)
  throw wrongSecret()
}

/** A question to publish whose key is somebody's. */
export interface KnownPublication {
  readonly action: 'publish'
  readonly question: PublishQuestion
  readonly key: StreamKey
  /** The session whose connection was cut for it. */
  readonly cutGuid: string | null
}

/** What is to be done about a question; `refused` with the reason, in words without secrets. */
export type Prepared =
  | KnownPublication
  | { readonly action: 'refused'; readonly reason: string }
  | Exclude<HookQuestion, PublishQuestion>

/**
 * Looks up the key; and where the server would refuse a second publisher by itself, has the first one's connection cut, which is
 * given two seconds. (S6)
 */
export async function prepareQuestion(asking: Asking, server: StreamServer, question: HookQuestion): Promise<Prepared> {
  if (question.action === 'done' || question.action === 'other' || question.action === 'bare') return question
  if (!server.enabled) return { action: 'refused', reason: 'The server is not in use.' }
  if (question.action !== 'publish') return question
  const { db, now } = asking
  const key = await findKeyByDigest(db, digestOf(question.key))
  if (key === undefined) {
    countWrongKey(asking, question)
    return { action: 'refused', reason: 'The key is not valid.' }
  }
  const known: KnownPublication = { action: 'publish', question, key, cutGuid: null }
  if (mediaServerKinds[server.kind].takesNewer) return known
  // Nothing is cut for somebody who will be refused.
  const isOfKey = question.claimed === null || question.claimed === key.userGuid
  if (!isOfKey || (await readTerms(db, server, key.userGuid, key.expiresAt, now)) === null) return known
  const live = await findLive(db, key.userGuid, server.guid)
  const isGone = await makeRoom(asking, server, key.userGuid, live)
  if (isGone) return { ...known, cutGuid: live?.guid ?? null }
  return live === undefined ? known : { action: 'refused', reason: 'The connection before could not be ended yet.' }
}

/** Beyond the budget it is the answer that a wrong key has anyway. (Part 3, 5) */
function countWrongKey({ countGuess }: Asking, { address }: PublishQuestion): void {
  if (address === null) return
  try {
    countGuess(address)
  } catch {
    // Refused either way.
  }
}

const roomMs = 2_000

/** Whether nobody publishes under the user's path any more; we may not know of somebody who does. */
async function makeRoom(
  { services, clients }: Asking,
  server: StreamServer,
  userGuid: string,
  live: StreamSession | undefined,
): Promise<boolean> {
  const control = controlOf(services.seal, server)
  if (control === null) return live === undefined
  // Whoever publishes there: it may be somebody of whom we have not been told.
  const cut = { userGuid, path: pathOf(userGuid), clientId: null, protocol: live?.protocol ?? ('rtmp' as const) }
  const failure = failureOf(clients.mediaServers.cut(server.kind, control, cut))
  const late = setTimeout(roomMs, 'late', { ref: false })
  return (await Promise.race([failure, late])) === null
}
