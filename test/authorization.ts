import { createHash, randomBytes } from 'node:crypto'
import { Browser, type Hop } from './browser.ts'
import type { Harness, Reply } from './harness.ts'
import { type ApplicationOptions, type MadeApplication, makeApplication } from './make.ts'

/** An application and its user as the authorization server sees them: plain requests without a browser. */

/** A browser in which a new user has signed in through the stand-in for the chat platform. */
export async function signInHere(api: Harness, name: string): Promise<Browser> {
  const browser = new Browser(api)
  const asked = (await browser.visit('/api/auth/chat?return_to=/healthz')).headers.get('location') ?? ''
  const { searchParams } = new URL(asked)
  const decided = await browser.visit(
    '/api/auth/stand-in/oauth2/authorize',
    form({ ...Object.fromEntries(searchParams), name }),
  )
  await browser.follow(decided.headers.get('location') ?? '')
  if (browser.cookie('downbeat_session') === undefined) throw new Error('nobody was signed in')
  return browser
}

export function form(members: Readonly<Record<string, string>> | URLSearchParams): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(members).toString(),
  }
}

export const verifier = () => randomBytes(32).toString('base64url')
export const challengeOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

/** The hidden members of a page's form, and its action. */
export function formOf(html: string): { action: string; members: Record<string, string> } {
  const action = /<form method="post" action="([^"]*)"/.exec(html)?.[1] ?? ''
  const inputs = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)
  return { action, members: Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value])) }
}

/** Posts the decision of a consent page. */
export async function decide(browser: Browser, shown: Hop, decision: string, origin = shown.url.origin): Promise<Hop> {
  const { action, members } = formOf(shown.text)
  const init = form({ ...members, decision })
  return browser.visit(action, { ...init, headers: { ...init.headers, origin } })
}

export interface Party {
  readonly api: Harness
  readonly application: MadeApplication
  readonly redirectUri: string
  /** The browser in which the user is signed in. */
  readonly browser: Browser
}

let sequence = 0

/** An application, and a signed-in user. */
export async function makeParty(api: Harness, options: ApplicationOptions = {}): Promise<Party> {
  const owner = await api.user()
  const [redirectUri = 'https://client.example/callback'] = options.redirectUris ?? []
  const application = await makeApplication(api, owner, { redirectUris: [redirectUri], ...options })
  return { api, application, redirectUri, browser: await signInHere(api, `listener ${process.pid} ${++sequence}`) }
}

/** The address of an authorization request; null leaves a parameter out. */
export function requestOf(party: Party, changes: Readonly<Record<string, string | null>> = {}): string {
  const parameters = {
    response_type: 'code',
    client_id: party.application.clientId,
    redirect_uri: party.redirectUri,
    scope: 'rest:read',
    state: 'a state',
    ...changes,
  }
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null)
  return `/api/oauth/authorize?${new URLSearchParams(given)}`
}

/** Opens an authorization request and agrees where the user is asked; returns the final redirect. */
export async function allow(browser: Browser, address: string | URL): Promise<URL> {
  const shown = await browser.visit(address)
  const answered = shown.status === 200 ? await decide(browser, shown, 'approve') : shown
  const location = answered.headers.get('location')
  if (location === null) throw new Error(`no redirect but ${answered.status}: ${answered.text}`)
  return new URL(location)
}

/** Runs the whole authorization; returns the parameters of the redirect. */
export async function authorize(
  party: Party,
  changes: Readonly<Record<string, string | null>> = {},
): Promise<URLSearchParams> {
  return (await allow(party.browser, requestOf(party, changes))).searchParams
}

/** Calls an endpoint for clients as the party's application. */
export async function callAs(
  party: Pick<Party, 'api' | 'application'>,
  path: string,
  members: Readonly<Record<string, string>>,
): Promise<Reply> {
  const { clientId, clientSecret } = party.application
  const body = new URLSearchParams(clientSecret === null ? { client_id: clientId, ...members } : members)
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  if (clientSecret !== null) headers.authorization = basic(clientId, clientSecret)
  return party.api.call('POST', path, { headers, raw: body.toString() })
}

export function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`
}

/** Exchanges a code for tokens. */
export async function redeem(party: Party, code: string, more: Readonly<Record<string, string>> = {}): Promise<Reply> {
  return callAs(party, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: party.redirectUri,
    ...more,
  })
}

export interface TokenSet {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly scope: string
}

/** Runs the whole flow to tokens, with PKCE for a public application. */
export async function obtain(party: Party, scope = 'rest:read'): Promise<TokenSet> {
  const secret = verifier()
  const isPublic = party.application.clientSecret === null
  const pkce = isPublic ? { code_challenge: challengeOf(secret), code_challenge_method: 'S256' } : {}
  const answer = await authorize(party, { scope, ...pkce })
  const reply = await redeem(party, answer.get('code') ?? '', isPublic ? { code_verifier: secret } : {})
  if (reply.status !== 200) throw new Error(`no tokens but ${reply.status}: ${reply.text}`)
  return reply.body
}

export async function refresh(party: Pick<Party, 'api' | 'application'>, token: string, more = {}): Promise<Reply> {
  return callAs(party, '/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...more })
}
