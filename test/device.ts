import { createHash } from 'node:crypto'
import { callAs, decide, type Party } from './authorization.ts'
import type { Browser, Hop } from './browser.ts'
import type { Harness, Reply } from './harness.ts'

/** The device grant with its client and its user, and a way to let time pass. */

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** The first response to a client. (RFC 8628 §3.2) */
export interface Waiting {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

type Client = Pick<Party, 'api' | 'application'>

export async function beginDevice(client: Client, members: Readonly<Record<string, string>> = {}): Promise<Waiting> {
  const reply = await callAs(client, '/oauth/device_authorization', members)
  if (reply.status !== 200) throw new Error(`no device code but ${reply.status}: ${reply.text}`)
  return reply.body
}

/** The client polls for the user's decision. */
export async function poll(client: Client, { device_code }: Pick<Waiting, 'device_code'>): Promise<Reply> {
  return callAs(client, '/oauth/token', { grant_type: deviceGrant, device_code })
}

/** Opens the page on which the user decides. */
export async function openDevice(browser: Browser, userCode: string): Promise<Hop> {
  return browser.visit(`/device?${new URLSearchParams({ user_code: userCode })}`)
}

/** The user's part, in a browser in which they are signed in. */
export async function decideDevice(
  browser: Browser,
  { user_code }: Pick<Waiting, 'user_code'>,
  decision = 'approve',
): Promise<Hop> {
  return decide(browser, await openDevice(browser, user_code), decision)
}

export const digestOf = (secret: string) => createHash('sha256').update(secret).digest()

/** Lets so many seconds pass for a waiting device, by changing its times. */
export async function letPass(api: Harness, { device_code }: Waiting, seconds: number): Promise<void> {
  await api.sql(
    `update device_requests set expires_at = expires_at - $2 * interval '1 s', asked_at = asked_at - $2 * interval '1 s'
     where device_code_hash = $1`,
    [digestOf(device_code), seconds],
  )
}
