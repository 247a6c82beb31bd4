import type { Config } from '../src/config.ts'
import { Browser } from './browser.ts'
import type { FakeChat } from './fakes/chat.ts'
import type { Harness } from './harness.ts'

/** Configuration of a service that signs users in through the fake chat platform. */
export function chatConfig({ config }: FakeChat): Config['chat'] {
  const { clientId, clientSecret, ...addresses } = config
  return { credentials: { clientId, clientSecret }, ...addresses }
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
