import { createHash } from 'node:crypto'
import { type Config, readConfig } from '../src/config.ts'
import { Browser } from './browser.ts'
import type { FakeChat } from './fakes/chat.ts'
import type { Harness } from './harness.ts'

/** The configuration of a service that signs users in through the fake chat platform. */
export function chatConfig({ config }: FakeChat): Config['chat'] {
  const { clientId, clientSecret, ...addresses } = config
  return { credentials: { clientId, clientSecret }, ...addresses }
}

/** A service without credentials, with chat webhooks at the real chat platform. */
export const publicChat: Config['chat'] = readConfig({ DISCORD_API_URL: 'https://discord.com/api/v10' }).chat

/** Signs in up to the chat platform's redirect to us; returns its address. With null the user declines. */
export async function arriveAtCallback(
  browser: Browser,
  chat: FakeChat,
  accountId: string | null,
  query = '',
): Promise<URL> {
  chat.nextUser = accountId
  const begun = await browser.visit(`/api/auth/chat${query}`)
  const asked = await browser.visit(begun.headers.get('location') ?? '')
  return new URL(asked.headers.get('location') ?? '')
}

/** A browser in which the account has signed in on the website. */
export async function signIn(api: Harness, chat: FakeChat, accountId: string): Promise<Browser> {
  const browser = new Browser(api)
  chat.nextUser = accountId
  const hops = await browser.follow('/api/auth/chat?return_to=/healthz')
  const last = hops.at(-1)
  if (last?.url.pathname !== '/healthz') throw new Error(`sign-in ended with ${last?.status} ${last?.text}`)
  return browser
}

export interface Visitor {
  readonly browser: Browser
  /** The token of the website's sign-in. */
  readonly token: string
  /** GUIDs of the sign-in and of the user. */
  readonly session: string
  readonly user: string
  /** The id on the chat platform. */
  readonly accountId: string
}

/** A user who has signed in on the website. */
export async function makeVisitor(api: Harness, chat: FakeChat, accountId = chat.users.add().id): Promise<Visitor> {
  const browser = await signIn(api, chat, accountId)
  const secret = browser.cookie('downbeat_session') ?? ''
  const [row] = await api.sql<{ guid: string; user_guid: string }>(
    'select guid, user_guid from sessions where secret_hash = $1',
    [createHash('sha256').update(secret).digest()],
  )
  if (row === undefined) throw new Error('the sign-in was not stored')
  const { token } = (await browser.post('/api/auth/token')).body
  return { browser, token, session: row.guid, user: row.user_guid, accountId }
}

/** The statuses that each process returns for the visitor's token, and then for their cookie. */
export async function standingOn(processes: readonly Harness[], visitor: Visitor): Promise<number[]> {
  const headers = {
    cookie: `downbeat_session=${visitor.browser.cookie('downbeat_session')}`,
    'sec-fetch-site': 'same-origin',
  }
  const replies = await Promise.all(
    processes.flatMap((process) => [
      process.call('GET', '/users/@me/sessions', { token: visitor.token }),
      process.call('POST', '/auth/token', { headers }),
    ]),
  )
  return replies.map(({ status }) => status)
}
