import { networkOf } from '../../../../core/network.ts'
import type { DoneReport, PublishQuestion, Verdict } from '../../../../infra/clients/media-servers/types.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { digestOf } from '../../../../infra/secrets.ts'
import { notify } from '../../../people/notifications/commands.ts'
import { noteUse } from '../../streamKeys/store.ts'
import type { StreamKey } from '../../streamKeys/types.ts'
import { pathOf } from '../../streamServers/rules/watching.ts'
import type { StreamServer } from '../../streamServers/types.ts'
import type { Gone } from '../prepare.ts'
import { readTerms } from '../queries.ts'
import { lifetimeOf, mustBeCut, newNetworkNotice } from '../rules.ts'
import {
  lockAnyKeyForKeyShare,
  lockEnabledServerForKeyShare,
  lockKeyForKeyShare,
  lockPublisher,
} from '../store/publishing.ts'
import { findLast, findLive, findLiveBy, insertSession, markReplaced } from '../store/sessions.ts'
import type { StreamSession } from '../types.ts'
import { emitOnline, endStreams } from './ending.ts'

export interface Publication {
  readonly server: StreamServer
  readonly key: StreamKey
  readonly question: Omit<PublishQuestion, 'action'>
  /** Whether this kind of server lets a second publisher replace the first. (S6) */
  readonly takesNewer: boolean
  /** The connection that was cut to make room; null if none was. */
  readonly gone: Gone | null
  readonly now: Date
}

export interface Published {
  readonly verdict: Verdict
  readonly session: StreamSession | null
}

const refused = (reason: string): Published => ({ verdict: { allowed: false, reason }, session: null })

/**
 * Lets a stream in, or refuses it. The key, the account and the server are locked. A change that removes the right
 * either waits until the session exists, and then ends it, or has committed before. (S4)
 */
export async function publish(tx: Tx, publication: Publication): Promise<Published> {
  const { server, key, question, takesNewer, gone, now } = publication
  const isInGoodStanding = await lockPublisher(tx, key.userGuid)
  const valid = await lockKeyForKeyShare(tx, key.guid)
  if (!isInGoodStanding || valid === undefined) return refused('The key is not valid.')
  if (question.claimed !== null && question.claimed !== key.userGuid) return refused('The path is not that of the key.')
  if (!(await lockEnabledServerForKeyShare(tx, server.guid))) return refused('The server is not in use.')
  const live = await findLive(tx, key.userGuid, server.guid)
  if (live !== undefined && !takesNewer && !isOf(live, gone)) return refused('The stream is being published.')
  const terms = await readTerms(tx, server, key.userGuid, valid.expiresAt, now)
  if (terms === null) return refused('There is no assignment in force, and no time left for tests.')
  const before = live?.guid ?? gone?.session ?? null
  if (before !== null) {
    const replaced = await endStreams(tx, { session: before }, { reason: 'replaced', actor: key.userGuid, now })
    // The server may have reported the end of the session already.
    if (replaced.length === 0) await markReplaced(tx, before)
  }
  const session = await insertSession(tx, {
    userGuid: key.userGuid,
    serverGuid: server.guid,
    protocol: question.protocol,
    path: pathOf(key.userGuid),
    assignmentGuid: terms.claim?.guid ?? null,
    tournamentGuid: terms.claim?.tournamentGuid ?? null,
    test: terms.test,
    keyGuid: key.guid,
    keyDigest: digestOf(question.key),
    clientId: question.clientId,
    startedAt: now,
    endsBy: terms.endsBy,
    address: question.address,
  })
  if (question.address !== null && (await noteUse(tx, key, networkOf(question.address), now))) {
    await notify(tx, { userGuid: key.userGuid, ...newNetworkNotice(key.label, key.guid) })
  }
  emitOnline(tx, session)
  const lifetimeMs = lifetimeOf(terms, server.control !== null, now)
  return { verdict: { allowed: true, userGuid: key.userGuid, lifetimeMs }, session }
}

/** Whether the cut connection is that of the session, which may have begun while room was made. (S6) */
function isOf({ guid, clientId }: StreamSession, gone: Gone | null): boolean {
  return gone !== null && (guid === gone.session || (clientId !== null && clientId === gone.clientId))
}

export interface Adoption {
  readonly server: StreamServer
  readonly userGuid: string
  readonly found: Pick<StreamSession, 'protocol' | 'path' | 'clientId'>
  /** When the server was asked: a stream that ended since then may still be in its list. */
  readonly askedAt: Date
  readonly now: Date
}

/**
 * Creates a session for a stream that the server has and the service does not know, if its user may publish it. Any
 * valid key of the user allows it, as long as the user has one. (S3, S8; streaming: Details, 4)
 * @returns whether the stream may continue
 */
export async function adopt(tx: Tx, { server, userGuid, found, askedAt, now }: Adoption): Promise<boolean> {
  const key = (await lockPublisher(tx, userGuid)) ? await lockAnyKeyForKeyShare(tx, userGuid) : undefined
  if (key === undefined) return false
  if (!(await lockEnabledServerForKeyShare(tx, server.guid))) return false
  const last = await findLast(tx, userGuid, server.guid)
  if (last?.endedAt === null) return true
  // The last session had to be cut, and there is no newer one, so this stream is still the one to cut. (S9)
  if (last?.endReason != null && mustBeCut(last.endReason)) return false
  if (last !== undefined && last.endedAt > askedAt) return true
  const terms = await readTerms(tx, server, userGuid, key.expiresAt, now)
  if (terms === null) return false
  const session = await insertSession(tx, {
    userGuid,
    serverGuid: server.guid,
    ...found,
    keyGuid: null,
    keyDigest: null,
    address: null,
    assignmentGuid: terms.claim?.guid ?? null,
    tournamentGuid: terms.claim?.tournamentGuid ?? null,
    test: terms.test,
    startedAt: now,
    endsBy: terms.endsBy,
  })
  emitOnline(tx, session)
  return true
}

/**
 * Handles a server's report that a stream ended. A report may be late, so it ends only the connection that it names.
 * (streaming: Adapters)
 */
export async function finish(
  tx: Tx,
  server: StreamServer,
  { key, userGuid, clientId }: Omit<DoneReport, 'action'>,
  now: Date,
): Promise<StreamSession | null> {
  const live = await findLiveBy(tx, server.guid, { digest: key === null ? null : digestOf(key), userGuid })
  if (live === undefined) return null
  if (clientId !== null && live.clientId !== null && clientId !== live.clientId) return null
  const [ended] = await endStreams(tx, { session: live.guid }, { reason: 'done', actor: live.userGuid, now })
  return ended ?? null
}
