import { setTimeout } from 'node:timers/promises'
import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { missing, unauthenticated } from '../../../core/problem.ts'
import { Unreachable } from '../../../infra/clients/http.ts'
import { mediaServerKinds } from '../../../infra/clients/media-servers/kinds.ts'
import type {
  ControlAddress,
  HookForm,
  HookQuestion,
  HookRequest,
  PublishQuestion,
} from '../../../infra/clients/media-servers/types.ts'
import type { Db } from '../../../infra/db/database.ts'
import { digestOf, isSame } from '../../../infra/secrets.ts'
import type { Clients, Services } from '../../../services.ts'
import { findKeyByDigest } from '../streamKeys/store.ts'
import type { StreamKey } from '../streamKeys/types.ts'
import { controlOf, secretsOf } from '../streamServers/queries.ts'
import { asksFromItsPlace } from '../streamServers/rules/networks.ts'
import { pathOf } from '../streamServers/rules/watching.ts'
import { findServer, listServers } from '../streamServers/store.ts'
import type { StreamServer } from '../streamServers/types.ts'
import { readTerms } from './queries.ts'
import { settlingMs } from './rules.ts'
import { findLive } from './store/sessions.ts'
import type { StreamSession } from './types.ts'

/** What is determined about a media server's question before anything is saved. */

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

const unknownServer = () => missing('stream_server.unknown', 'There is no such media server.')

/**
 * Finds the server that the address names and verifies its secret. Returns it with the form of its questions; `generic`
 * has none. A wrong secret counts as a guess, a missing one does not. (S7, S10)
 */
export async function proveServer(
  { db, services, countGuess, now }: Asking,
  guid: string,
  request: HookRequest,
  address: string,
): Promise<{ readonly server: StreamServer; readonly form: HookForm }> {
  const { query, authorization, signature } = request
  if (!query.has('secret') && authorization === null && signature === null) throw wrongSecret()
  const server = isGuid(guid) ? await findServer(db, normaliseGuid(guid)) : undefined
  const form = server === undefined ? null : mediaServerKinds[server.kind].hooks
  const isKnown = server !== undefined && form !== null
  if (isKnown && asksFromItsPlace(server, address) && form.proves(request, secretsOf(services.seal, server, now))) {
    return { server, form }
  }
  countGuess(address)
  throw isKnown ? wrongSecret() : unknownServer()
}

/**
 * Finds the server with this secret. All secrets are compared, so that the duration does not reveal which one matched.
 */
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

/** A question to publish, with a key that exists. */
export interface KnownPublication {
  readonly action: 'publish'
  readonly question: PublishQuestion
  readonly key: StreamKey
  readonly gone: Gone | null
}

/** The connection that was cut to make room: its session and its ID on the server, as far as they are known. */
export interface Gone {
  readonly session: string | null
  readonly clientId: string | null
}

/** The next step for a question. `refused` has a reason without secrets. */
export type Prepared =
  | KnownPublication
  | { readonly action: 'refused'; readonly reason: string }
  | Exclude<HookQuestion, PublishQuestion>

/**
 * Looks up the key. If the server would refuse a second publisher, it also cuts the first one's connection, within two
 * seconds. (S6)
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
  const known: KnownPublication = { action: 'publish', question, key, gone: null }
  if (mediaServerKinds[server.kind].takesNewer) return known
  // Do not cut a connection for a publisher who will be refused anyway.
  const isOfKey = question.claimed === null || question.claimed === key.userGuid
  if (!isOfKey || (await readTerms(db, server, key.userGuid, key.expiresAt, now)) === null) return known
  const room = await roomAt(asking, server, key.userGuid)
  return room.isMade ? { ...known, gone: room.gone } : { action: 'refused', reason: room.reason }
}

/** Counts a wrong key as a guess. Beyond the budget, the answer stays that of a wrong key. (streaming: Details, 5) */
function countWrongKey({ countGuess }: Asking, { address }: PublishQuestion): void {
  if (address === null) return
  try {
    countGuess(address)
  } catch {
    // The question is refused either way.
  }
}

type Room = { readonly isMade: true; readonly gone: Gone | null } | { readonly isMade: false; readonly reason: string }

const roomMs = 2_000

const unmade = (reason: string): Room => ({ isMade: false, reason })
const tooLate = unmade('The connection before could not be ended in time.')

/**
 * Makes sure that nobody publishes under the user's path. The server is asked, as only it knows who publishes there.
 */
async function roomAt(asking: Asking, server: StreamServer, userGuid: string): Promise<Room> {
  const { db, services } = asking
  const live = await findLive(db, userGuid, server.guid)
  const control = controlOf(services.seal, server)
  if (control === null)
    return live === undefined ? { isMade: true, gone: null } : unmade('The stream is being published.')
  const deadline = AbortSignal.timeout(roomMs)
  const late = setTimeout(roomMs, tooLate, { ref: false })
  return Promise.race([makeRoom(asking, { server, control, userGuid, live }, deadline), late])
}

interface Occupied {
  readonly server: StreamServer
  readonly control: ControlAddress
  readonly userGuid: string
  readonly live: StreamSession | undefined
}

/** Cuts the connection that the server lists under the user's path, even if the service has no session for it yet. */
async function makeRoom(
  { clients, now }: Asking,
  { server, control, userGuid, live }: Occupied,
  deadline: AbortSignal,
): Promise<Room> {
  const { kind } = server
  // A publisher who was just let in is about to publish, and has priority over the new one.
  const isSettled = live !== undefined && now.getTime() - live.startedAt.getTime() >= settlingMs
  try {
    const streams = await clients.mediaServers.list(kind, control)
    const there = streams.find((stream) => stream.userGuid === userGuid)
    if (there === undefined) {
      return live === undefined || isSettled
        ? { isMade: true, gone: { session: live?.guid ?? null, clientId: null } }
        : unmade('The stream is being published.')
    }
    // The new publisher has been refused by now, so nothing is cut.
    if (deadline.aborted) return tooLate
    const { clientId } = there
    const cut = { userGuid, path: pathOf(userGuid), clientId, protocol: there.protocol ?? ('rtmp' as const) }
    await clients.mediaServers.cut(kind, control, cut)
    const isCut = live !== undefined && (isSettled || (clientId !== null && clientId === live.clientId))
    return { isMade: true, gone: { session: isCut ? live.guid : null, clientId } }
  } catch (error) {
    if (error instanceof Unreachable) return unmade('The connection before could not be ended.')
    throw error
  }
}
