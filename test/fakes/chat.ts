import { createHash, randomBytes } from 'node:crypto'
import { type FakeAnswer, type FakeServer, type SeenRequest, startFakeServer } from './server.ts'

/** The sign-in of the chat platform and the account parts of its REST API, in its own formats (Discord v10). */

/** A user object as the account itself sees it with the scopes `identify` and `email`. */
interface WireUser {
  readonly id: string
  readonly username: string
  readonly discriminator: string
  readonly global_name: string | null
  readonly avatar: string | null
  readonly banner: string | null
  readonly accent_color: number | null
  readonly avatar_decoration_data: { readonly asset: string; readonly sku_id: string } | null
  readonly primary_guild: null
  readonly public_flags: number
  readonly flags: number
  readonly locale: string
  readonly mfa_enabled: boolean
  readonly premium_type: number
  readonly email: string | null
  readonly verified: boolean
  /** Only accounts of applications have it. */
  readonly bot?: boolean
}

/** An account elsewhere that a user has linked, as the user sees it with the scope `connections`. */
interface WireConnection {
  readonly id: string
  readonly name: string
  /** `twitch`, `steam`, … */
  readonly type: string
  readonly revoked?: boolean
  readonly verified: boolean
  readonly friend_sync: boolean
  readonly show_activity: boolean
  readonly two_way_link: boolean
  /** 0: visible to nobody else, 1: visible to everybody. */
  readonly visibility: 0 | 1
}

export interface FakeChat extends FakeServer {
  /** The configuration of a client of the platform. */
  readonly config: {
    readonly apiUrl: string
    readonly authorizeUrl: string
    readonly cdnUrl: string
    readonly clientId: string
    readonly clientSecret: string
  }
  readonly users: {
    /** Adds a user; missing members are made up, and id and name are always new. */
    add(user?: Partial<WireUser>): WireUser
    /** Changes an existing account. */
    change(id: string, changes: Partial<WireUser>): WireUser
  }
  /** Adds a connection to a user, by default a verified one to a streaming account. */
  connect(userId: string, connection?: Partial<WireConnection>): WireConnection
  /** The user on the sign-in page, who agrees immediately; null declines. */
  nextUser: string | null
  /** A valid token, by default of the configured application with both scopes. */
  issueToken(
    userId: string,
    options?: { readonly clientId?: string; readonly scopes?: readonly string[]; readonly expiresInS?: number },
  ): string
}

interface Token {
  readonly userId: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly expiresAt: number
}

interface Code {
  readonly userId: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly challenge: string | null
}

interface Platform {
  readonly users: Map<string, WireUser>
  readonly connections: Map<string, readonly WireConnection[]>
  readonly tokens: Map<string, Token>
  readonly codes: Map<string, Code>
  readonly clientId: string
  readonly clientSecret: string
  nextUser: string | null
}

const lifetimeS = 604_800
const api = '/api/v10'

export async function startFakeChat(): Promise<FakeChat> {
  const platform: Platform = {
    users: new Map(),
    connections: new Map(),
    tokens: new Map(),
    codes: new Map(),
    clientId: '1100000000000000001',
    clientSecret: randomBytes(24).toString('base64url'),
    nextUser: null,
  }
  const server = await startFakeServer({ answer: (request) => route(platform, request), limited })
  const { clientId, clientSecret, users } = platform
  const { url } = server
  return {
    ...server,
    config: {
      apiUrl: `${url}${api}`,
      authorizeUrl: `${url}/oauth2/authorize`,
      cdnUrl: `${url}/cdn`,
      clientId,
      clientSecret,
    },
    users: {
      add: (user = {}) => put(users, { ...madeUp(users.size + 1), ...user }),
      change: (id, changes) => put(users, { ...known(users, id), ...changes }),
    },
    connect(userId, connection = {}) {
      const before = platform.connections.get(known(users, userId).id) ?? []
      const made = { ...madeUpConnection(), ...connection }
      platform.connections.set(userId, [...before, made])
      return made
    },
    get nextUser() {
      return platform.nextUser
    },
    set nextUser(id) {
      platform.nextUser = id
    },
    issueToken(userId, { clientId: holder = clientId, scopes = ['identify', 'email'], expiresInS = lifetimeS } = {}) {
      known(users, userId)
      return issueToken(platform, { userId, clientId: holder, scopes, expiresAt: Date.now() + expiresInS * 1_000 })
    },
  }
}

function put(users: Map<string, WireUser>, user: WireUser): WireUser {
  users.set(user.id, user)
  return user
}

function known(users: Map<string, WireUser>, id: string): WireUser {
  const user = users.get(id)
  if (user === undefined) throw new Error(`the fake chat platform has no user ${id}`)
  return user
}

function madeUp(number: number): WireUser {
  return {
    id: String(210_987_654_321_098_765n + (BigInt(number) << 22n)),
    username: `player.${number}`,
    discriminator: '0',
    global_name: `Player ${number}`,
    avatar: randomBytes(16).toString('hex'),
    banner: null,
    accent_color: null,
    avatar_decoration_data: null,
    primary_guild: null,
    public_flags: 64,
    flags: 64,
    locale: 'en-GB',
    mfa_enabled: true,
    premium_type: 0,
    email: `player.${number}@example.org`,
    verified: true,
  }
}

function madeUpConnection(): WireConnection {
  const id = String(100_000_000 + randomBytes(4).readUInt32BE())
  return {
    id,
    name: `streamer_${id}`,
    type: 'twitch',
    verified: true,
    friend_sync: false,
    show_activity: true,
    two_way_link: false,
    visibility: 0,
  }
}

function issueToken(platform: Platform, token: Token): string {
  const secret = randomBytes(24).toString('base64url')
  platform.tokens.set(secret, token)
  return secret
}

function route(platform: Platform, request: SeenRequest): FakeAnswer {
  switch (`${request.method} ${request.path}`) {
    case 'GET /oauth2/authorize':
      return authorize(platform, request.query)
    case `POST ${api}/oauth2/token`:
      return exchange(platform, request)
    case `GET ${api}/oauth2/@me`:
      return withToken(platform, request, describeAuthorization)
    case `GET ${api}/users/@me`:
      return withToken(platform, request, describeUser)
    case `GET ${api}/users/@me/connections`:
      return withToken(platform, request, ({ scopes }, { id }) =>
        scopes.includes('connections') ? { status: 200, body: platform.connections.get(id) ?? [] } : missingAccess,
      )
    case `GET ${api}/gateway`:
    case `HEAD ${api}/gateway`:
      return { status: 200, body: { url: 'wss://gateway.discord.gg' } }
    default:
      return { status: 404, body: { message: '404: Not Found', code: 0 } }
  }
}

/** The page of the decision, which has been made already. */
function authorize(platform: Platform, query: URLSearchParams): FakeAnswer {
  const redirectUri = query.get('redirect_uri') ?? ''
  if (query.get('client_id') !== platform.clientId || !URL.canParse(redirectUri)) {
    return { status: 400, body: { message: 'Invalid Form Body', code: 50035 } }
  }
  const target = new URL(redirectUri)
  for (const [name, value] of Object.entries(decide(platform, query, redirectUri))) target.searchParams.set(name, value)
  const state = query.get('state')
  if (state !== null) target.searchParams.set('state', state)
  return { status: 302, headers: { location: target.href } }
}

function decide(platform: Platform, query: URLSearchParams, redirectUri: string): Record<string, string> {
  if (query.get('response_type') !== 'code') return { error: 'unsupported_response_type' }
  const challenge = query.get('code_challenge')
  if (challenge !== null && query.get('code_challenge_method') !== 'S256') return { error: 'invalid_request' }
  if (platform.nextUser === null) {
    return {
      error: 'access_denied',
      error_description: 'The resource owner or authorization server denied the request',
    }
  }
  const { id } = known(platform.users, platform.nextUser)
  const code = randomBytes(15).toString('base64url')
  platform.codes.set(code, { userId: id, redirectUri, scopes: (query.get('scope') ?? '').split(' '), challenge })
  return { code }
}

function exchange(platform: Platform, request: SeenRequest): FakeAnswer {
  if (!isOurClient(platform, request)) return { status: 401, body: { error: 'invalid_client' } }
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  const form = new URLSearchParams(isForm ? request.body : '')
  if (form.get('grant_type') !== 'authorization_code') {
    return oauthError('unsupported_grant_type', `Grant type ${form.get('grant_type')} is not supported`)
  }
  const code = platform.codes.get(form.get('code') ?? '')
  platform.codes.delete(form.get('code') ?? '')
  if (code === undefined) return oauthError('invalid_grant', 'Invalid "code" in request.')
  if (form.get('redirect_uri') !== code.redirectUri) {
    return oauthError('invalid_request', 'Invalid "redirect_uri" in request.')
  }
  if (code.challenge !== null && challengeOf(form.get('code_verifier') ?? '') !== code.challenge) {
    return oauthError('invalid_grant', 'Invalid "code_verifier" in request.')
  }
  return { status: 200, body: grant(platform, code) }
}

function isOurClient({ clientId, clientSecret }: Platform, { headers }: SeenRequest): boolean {
  return headers.authorization === `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
}

/** S256 of RFC 7636 §4.2. */
function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

function oauthError(error: string, description: string): FakeAnswer {
  return { status: 400, body: { error, error_description: description } }
}

function grant(platform: Platform, { userId, scopes }: Code): object {
  const expiresAt = Date.now() + lifetimeS * 1_000
  return {
    token_type: 'Bearer',
    access_token: issueToken(platform, { userId, clientId: platform.clientId, scopes, expiresAt }),
    expires_in: lifetimeS,
    refresh_token: randomBytes(24).toString('base64url'),
    scope: scopes.join(' '),
  }
}

function withToken(
  platform: Platform,
  { headers }: SeenRequest,
  answer: (token: Token, user: WireUser) => FakeAnswer,
): FakeAnswer {
  const token = platform.tokens.get(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '')
  if (token === undefined || token.expiresAt <= Date.now()) {
    return { status: 401, body: { message: '401: Unauthorized', code: 0 } }
  }
  return answer(token, known(platform.users, token.userId))
}

const missingAccess: FakeAnswer = { status: 403, body: { message: 'Missing Access', code: 50001 } }

function describeUser({ scopes }: Token, user: WireUser): FakeAnswer {
  if (!scopes.includes('identify')) return missingAccess
  const { email, verified, ...unscoped } = user
  return { status: 200, body: scopes.includes('email') ? user : unscoped }
}

function describeAuthorization({ clientId, scopes, expiresAt }: Token, user: WireUser): FakeAnswer {
  const { id, username, discriminator, global_name, avatar, avatar_decoration_data, public_flags } = user
  const application = {
    id: clientId,
    name: 'Downbeat',
    icon: null,
    description: '',
    type: null,
    hook: true,
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: createHash('sha256').update(clientId).digest('hex'),
    flags: 0,
  }
  const expires = new Date(expiresAt).toISOString().replace('Z', '000+00:00')
  const shown = { id, username, discriminator, global_name, avatar, avatar_decoration_data, public_flags }
  return {
    status: 200,
    body: { application, scopes, expires, ...(scopes.includes('identify') ? { user: shown } : {}) },
  }
}

/** Without a time the platform's edge refuses, in its own format. */
function limited(waitS: number | null): FakeAnswer {
  if (waitS === null) return { status: 429, body: 'error code: 1015' }
  const headers = {
    'retry-after': String(Math.ceil(waitS)),
    'x-ratelimit-limit': '5',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': (Date.now() / 1_000 + waitS).toFixed(3),
    'x-ratelimit-reset-after': waitS.toFixed(3),
    'x-ratelimit-bucket': '4cc3a3d9c1b7ffb2b5f1e3c0e7c2a1d4',
    'x-ratelimit-scope': 'user',
  }
  return { status: 429, headers, body: { message: 'You are being rate limited.', retry_after: waitS, global: false } }
}
