import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../core/actor.ts'
import type { Unreachable } from '../../../infra/clients/http.ts'
import type { ServerKind } from '../../../infra/clients/media-servers/types.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import type { Seal } from '../../../infra/sealed.ts'
import { type Resealed, resealMembers, type SealChange, sumResealed } from '../../../infra/sealed-text.ts'
import type { LoggedServer } from './events.ts'
import { passwordPurpose, sealPassword, sealSecret, secretPurpose } from './queries.ts'
import { unknownServer } from './resolve.ts'
import {
  checkNobodyIsLive,
  checkRoom,
  checkSomethingGiven,
  defaults,
  type OpenControl,
  readServer,
  type ServerInput,
  settingsOf,
} from './rules/servers.ts'
import * as store from './store.ts'
import type { StoredControl, StreamServer } from './types.ts'

/** The inputs of a change apart from the database. */
export interface Surroundings {
  readonly seal: Seal
  readonly now: Date
}

/**
 * Adds a media server, whose requests are accepted from now on.
 * @throws Problem `stream_server.invalid`, `stream_server.limit_reached`, `stream_server.name_taken`
 */
export async function createServer(
  tx: Tx,
  actor: SignedIn,
  { kind, ...input }: ServerInput & { readonly kind: ServerKind },
  secret: string,
  { seal, now }: Surroundings,
): Promise<StreamServer> {
  const settings = readServer(kind, input, defaults(kind))
  await store.lockServers(tx)
  checkRoom(await store.countServers(tx))
  const server = await store.insertServer(
    tx,
    {
      ...rowOf(settings),
      kind,
      control: storedControl(seal, settings.control, null),
      sealedSecret: sealSecret(seal, secret),
    },
    now,
  )
  emit(tx, {
    type: 'stream_server.created',
    subject: server.guid,
    actor: actor.guid,
    after: { ...loggedServer(server), kind },
  })
  return server
}

/**
 * Changes the given members. If none differs from the current state, nothing is saved. Disabling a server cuts its live
 * streams.
 * @throws Problem `stream_server.unknown`, `stream_server.nothing_given`, `stream_server.invalid`,
 *   `stream_server.name_taken`
 */
export async function changeServer(
  tx: Tx,
  actor: SignedIn,
  guid: string,
  input: ServerInput,
  { seal, now }: Surroundings,
): Promise<StreamServer> {
  checkSomethingGiven(input)
  const server = await lockKnown(tx, guid)
  const settings = readServer(server.kind, input, settingsOf(server))
  const next = { ...rowOf(settings), control: storedControl(seal, settings.control, server.control) }
  const names = settingNames.filter((name) => !isDeepStrictEqual(next[name], server[name]))
  if (names.length === 0) return server
  // An error at the former control address says nothing about the new one.
  const isElsewhere = names.includes('control')
  const changed = await store.updateServer(tx, guid, { ...next, ...(isElsewhere ? neverAsked : {}) }, now)
  const [before, after] = [server, changed].map((each) => {
    const logged = loggedServer(each)
    return Object.fromEntries(names.map((name) => [name, logged[name]]))
  })
  emit(tx, {
    type: 'stream_server.updated',
    subject: guid,
    actor: actor.guid,
    before: before ?? {},
    after: after ?? {},
  })
  return changed
}

/**
 * Gives a server a new secret. The old one is refused from the commit on, or from the end of the grace period. An older
 * one that is still in its grace period ends immediately, so that at most two secrets are valid. (streaming: Records)
 * @throws Problem `stream_server.unknown`
 */
export async function rotateServerSecret(
  tx: Tx,
  actor: SignedIn,
  guid: string,
  { secret, graceSeconds }: { readonly secret: string; readonly graceSeconds: number },
  { seal, now }: Surroundings,
): Promise<void> {
  const { sealedSecret } = await lockKnown(tx, guid)
  const previous =
    graceSeconds === 0
      ? { sealedPreviousSecret: null, previousSecretUntil: null }
      : {
          sealedPreviousSecret: sealedSecret,
          previousSecretUntil: new Date(now.getTime() + graceSeconds * 1000),
        }
  await store.updateServer(tx, guid, { ...previous, sealedSecret: sealSecret(seal, secret) }, now)
  emit(tx, { type: 'stream_server.secret_rotated', subject: guid, actor: actor.guid })
}

/**
 * Deletes a server with the records of its streams.
 * @throws Problem `stream_server.unknown`, `stream_server.live`
 */
export async function deleteServer(tx: Tx, actor: SignedIn, guid: string): Promise<void> {
  const server = await lockKnown(tx, guid)
  checkNobodyIsLive(await store.isSomebodyLive(tx, guid))
  await store.deleteServer(tx, guid)
  const before = { ...loggedServer(server), kind: server.kind }
  emit(tx, { type: 'stream_server.deleted', subject: guid, actor: actor.guid, before })
}

const neverAsked = { controlError: null, controlReason: null, controlFailingSince: null }

/** Saves the result of a test of the control interface, unless its address has changed in the meantime. */
export async function noteTest(
  tx: Tx,
  asked: Pick<StreamServer, 'guid' | 'control'>,
  failure: Unreachable | null,
  now: Date,
): Promise<void> {
  const server = await store.lockServer(tx, asked.guid)
  if (!isDeepStrictEqual(server?.control, asked.control)) return
  await store.noteControl(tx, asked.guid, failure, now)
}

/** Locks the server; it may have been deleted since the request found it. */
async function lockKnown(tx: Tx, guid: string): Promise<StreamServer> {
  const server = await store.lockServer(tx, guid)
  if (server === undefined) throw unknownServer()
  return server
}

const settingNames = ['name', 'enabled', 'assignmentRequired', 'ingest', 'play', 'networks', 'control'] as const

function rowOf({ name, enabled, assignmentRequired, ingest, play, networks }: Omit<LoggedServer, 'control'>) {
  return { name, enabled, assignmentRequired, ingest, play, networks: [...networks] }
}

function storedControl(seal: Seal, control: OpenControl | null, current: StoredControl | null): StoredControl | null {
  if (control === null) return null
  const { url, user, password, vhost, app } = control
  const sealedPassword = password === undefined ? (current?.sealedPassword ?? null) : sealPassword(seal, password)
  return { url, user, sealedPassword, vhost, app }
}

function loggedServer(server: StreamServer): LoggedServer {
  const { name, enabled, assignmentRequired, ingest, play, networks, control } = server
  const { url, user, vhost, app } = control ?? {}
  return {
    name,
    enabled,
    assignmentRequired,
    ingest,
    play,
    networks,
    control: url === undefined ? null : { url, user: user ?? null, vhost: vhost ?? null, app: app ?? null },
  }
}

const sealPurposes = {
  sealedSecret: secretPurpose,
  sealedPreviousSecret: secretPurpose,
  sealedPassword: passwordPurpose,
}

/** Encrypts the secrets of all servers with the new secret of the installation. No event: they are the same. */
export async function resealServers(tx: Tx, change: SealChange): Promise<Resealed> {
  const counts: Resealed[] = []
  for (const { guid, control, sealedSecret, sealedPreviousSecret } of await store.listServers(tx)) {
    const sealedPassword = control?.sealedPassword ?? null
    const { values, ...count } = resealMembers(change, sealPurposes, {
      sealedSecret,
      sealedPreviousSecret,
      sealedPassword,
    })
    await store.setSealed(tx, guid, {
      sealedSecret: values.sealedSecret ?? sealedSecret,
      sealedPreviousSecret: values.sealedPreviousSecret,
      control: control && { ...control, sealedPassword: values.sealedPassword },
    })
    counts.push(count)
  }
  return sumResealed(counts)
}
