import { chatConfig } from './chat-sign-in.ts'
import { type FakeChat, startFakeChat } from './fakes/chat.ts'
import {
  type BeatLeaderPlayer,
  type FakeRanking,
  type ScoreSaberPlayer,
  startFakeBeatLeader,
  startFakeScoreSaber,
} from './fakes/ranking.ts'
import { type Caller, type Harness, type Reply, startHarness } from './harness.ts'

/** A service with fakes of the platforms on which its users have accounts. */
export interface LinkedWorld extends AsyncDisposable {
  readonly api: Harness
  readonly chat: FakeChat
  /** The ranking platforms. */
  readonly a: FakeRanking<ScoreSaberPlayer>
  readonly b: FakeRanking<BeatLeaderPlayer>
}

export async function startLinkedWorld(): Promise<LinkedWorld> {
  const [chat, a, b] = await Promise.all([startFakeChat(), startFakeScoreSaber(), startFakeBeatLeader()])
  const api = await startHarness({ chat: chatConfig(chat), rankingAUrl: a.url, rankingBUrl: b.url })
  const close = async () => {
    await api[Symbol.asyncDispose]()
    await Promise.all([chat.close(), a.close(), b.close()])
  }
  return { api, chat, a, b, [Symbol.asyncDispose]: close }
}

/** A user with an account on the chat platform. */
export async function chatUser({ api, chat }: LinkedWorld): Promise<Caller> {
  return api.user({ chatPlatformId: chat.users.add().id })
}

export function putIdentity(
  api: Harness,
  user: Caller | null,
  platform: string,
  externalId: string,
  proof?: string,
): Promise<Reply> {
  return api.put(`/users/@me/identities/${platform}`, user, { externalId, ...(proof === undefined ? {} : { proof }) })
}

/** The user's links without the chat identity. */
// biome-ignore lint/suspicious/noExplicitAny: as in answers of the harness.
export async function linksOf(api: Harness, user: Caller): Promise<any[]> {
  const { body } = await api.get('/users/@me/identities', user)
  return body.slice(1)
}

/** Claims an account of ranking platform A and puts the code into its profile, so that the next request proves it. */
export async function showCode({ api, a }: LinkedWorld, user: Caller, externalId: string): Promise<string> {
  const { body } = await putIdentity(api, user, 'ranking-a', externalId)
  a.players.change(externalId, { bio: `<p>Hello! ${body.proofCode}</p>` })
  return body.proofCode
}

export function problemOf(reply: Reply): [number, string | null] {
  return [reply.status, reply.headers.get('problem-code')]
}
