import { type Static, Type } from 'typebox'
import { shapeOf } from '../../core/shape.ts'
import { findBody, readBody, unexpected, visibleName } from './answers.ts'
import type { HttpAnswer, HttpClient } from './http.ts'

/** The chat platform (Discord, API version 10): sign-in, and the data of an account. */

/** The platform refuses the token or the code for good. */
export class ChatRefused extends Error {
  override readonly name = 'ChatRefused'
  /** The platform's error, such as `invalid_grant`, or `invalid_client` for our own credentials. (RFC 6749 §5.2) */
  readonly code: string | null

  constructor(code: string | null) {
    super(`the chat platform refused the token or code${code === null ? '' : ` (${code})`}`)
    this.code = code
  }
}

export interface ChatTokens {
  readonly accessToken: string
  readonly tokenType: string
  /** Seconds. */
  readonly expiresIn: number
  readonly refreshToken?: string
  /** Space-separated. */
  readonly scope: string
}

export interface ChatUser {
  /** 1 to 20 digits. */
  readonly id: string
  readonly username: string
  /** The name that the user chose to show. */
  readonly globalName: string | null
  /** The user's own picture, else the platform's default picture. */
  readonly avatarUrl: string
  /** Null without the scope `email`. */
  readonly email: string | null
  readonly emailVerified: boolean
  readonly isBot: boolean
}

export interface ChatAuthorization {
  /** The application that the token was issued to. */
  readonly applicationId: string
  readonly expiresAt: Date
  readonly scopes: readonly string[]
  /** Null without the scope `identify`. */
  readonly userId: string | null
}

/** An account on another platform that is linked to a chat account. */
export interface ChatConnection {
  /** The chat platform's name of the other platform, such as `twitch`. */
  readonly type: string
  readonly name: string
  /** Whether the owner has proven the account to be theirs and has not unlinked it since. */
  readonly isVerified: boolean
}

/** All methods except `authorizeUrl` reject with Unreachable when the platform gives no usable answer. */
export interface ChatClient {
  /** The address of the sign-in page. `codeChallenge` is the S256 challenge of RFC 7636. */
  authorizeUrl(request: {
    readonly state: string
    readonly redirectUri: string
    readonly codeChallenge: string
  }): string
  /** @throws ChatRefused */
  exchangeCode(grant: {
    readonly code: string
    readonly redirectUri: string
    readonly codeVerifier: string
  }): Promise<ChatTokens>
  /** @throws ChatRefused */
  currentUser(accessToken: string): Promise<ChatUser>
  /** @throws ChatRefused */
  authorization(accessToken: string): Promise<ChatAuthorization>
  /**
   * The connections of the token's owner; needs the scope `connections`.
   * @throws ChatRefused
   */
  connections(accessToken: string): Promise<readonly ChatConnection[]>
  /** Resolves when the platform answers, with any status. */
  ping(): Promise<void>
}

export interface ChatClientOptions {
  readonly http: HttpClient
  /** Addresses without a slash at the end. */
  readonly apiUrl: string
  readonly authorizeUrl: string
  readonly cdnUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

const Id = Type.String({ pattern: '^[0-9]{1,20}$' })
const Token = Type.String({ minLength: 1, maxLength: 2_000 })

const TokenAnswer = Type.Object({
  access_token: Token,
  token_type: Type.String({ minLength: 1, maxLength: 50 }),
  expires_in: Type.Integer({ minimum: 0 }),
  refresh_token: Type.Optional(Token),
  scope: Type.String({ maxLength: 2_000 }),
})

const UserAnswer = Type.Object({
  id: Id,
  username: Type.String({ minLength: 1, maxLength: 100 }),
  // Four digits, or "0" for accounts with a unique name.
  discriminator: Type.Optional(Type.String({ pattern: '^[0-9]{1,4}$' })),
  global_name: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
  // The platform's hash of the picture, which is part of its address.
  avatar: Type.Optional(Type.Union([Type.String({ pattern: '^[A-Za-z0-9_]{1,100}$' }), Type.Null()])),
  email: Type.Optional(Type.Union([Type.String({ maxLength: 320 }), Type.Null()])),
  verified: Type.Optional(Type.Boolean()),
  bot: Type.Optional(Type.Boolean()),
})

const AuthorizationAnswer = Type.Object({
  application: Type.Object({ id: Id }),
  scopes: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 }),
  // ISO 8601 with a time zone, in microseconds.
  expires: Type.String({ format: 'date-time', maxLength: 50 }),
  user: Type.Optional(Type.Object({ id: Id })),
})

const ConnectionsAnswer = Type.Array(
  Type.Object({
    type: Type.String({ maxLength: 100 }),
    name: Type.String({ maxLength: 1_000 }),
    verified: Type.Boolean(),
    revoked: Type.Optional(Type.Boolean()),
  }),
  { maxItems: 1_000 },
)

const tokenShape = shapeOf(TokenAnswer)
const userShape = shapeOf(UserAnswer)
const authorizationShape = shapeOf(AuthorizationAnswer)
const connectionsShape = shapeOf(ConnectionsAnswer)
const oauthErrorShape = shapeOf(Type.Object({ error: Type.String({ pattern: '^[a-z_]{1,50}$' }) }))
const apiErrorShape = shapeOf(Type.Object({ code: Type.Integer() }))
const limitShape = shapeOf(Type.Object({ retry_after: Type.Number() }))

export function createChatClient({ http, ...options }: ChatClientOptions): ChatClient {
  const ask = async (path: string, accessToken: string) => {
    if (!isToken(accessToken)) throw new ChatRefused(null)
    const headers = { authorization: `Bearer ${accessToken}` }
    return accepted(await http.request({ method: 'GET', url: `${options.apiUrl}${path}`, headers }))
  }
  return {
    authorizeUrl({ state, redirectUri, codeChallenge }) {
      const url = new URL(options.authorizeUrl)
      url.searchParams.set('response_type', 'code')
      url.searchParams.set('client_id', options.clientId)
      url.searchParams.set('scope', 'identify email')
      url.searchParams.set('redirect_uri', redirectUri)
      url.searchParams.set('state', state)
      url.searchParams.set('code_challenge', codeChallenge)
      url.searchParams.set('code_challenge_method', 'S256')
      return url.href
    },

    async exchangeCode({ code, redirectUri, codeVerifier }) {
      const answer = await http.request({
        method: 'POST',
        url: `${options.apiUrl}/oauth2/token`,
        headers: { authorization: basic(options.clientId, options.clientSecret) },
        form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier },
      })
      return toTokens(readBody(accepted(answer), tokenShape))
    },

    async currentUser(accessToken) {
      return toUser(readBody(await ask('/users/@me', accessToken), userShape), options.cdnUrl)
    },

    async authorization(accessToken) {
      return toAuthorization(readBody(await ask('/oauth2/@me', accessToken), authorizationShape))
    },

    async connections(accessToken) {
      return readBody(await ask('/users/@me/connections', accessToken), connectionsShape).map(toConnection)
    },

    async ping() {
      await http.request({ method: 'HEAD', url: `${options.apiUrl}/gateway` })
    },
  }
}

/** The characters of RFC 6750 §2.1. Any other text is no token and cannot be part of a header. */
function isToken(text: string): boolean {
  return /^[\w.~+/-]{1,2000}=*$/.test(text)
}

/** The platform's ids and secrets contain only characters that the encoding of RFC 6749 §2.3.1 leaves unchanged. */
function basic(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
}

/** The code with which the platform's edge blocks us, whatever the token. */
const blockedByEdge = 40_333

function accepted(answer: HttpAnswer): HttpAnswer {
  if (answer.status === 200) return answer
  if (isRefusal(answer)) throw new ChatRefused(oauthError(answer))
  throw unexpected(answer, findBody(answer, limitShape)?.retry_after)
}

function isRefusal(answer: HttpAnswer): boolean {
  if (answer.status === 400) return oauthError(answer) === 'invalid_grant'
  if (answer.status === 403) return findBody(answer, apiErrorShape)?.code !== blockedByEdge
  return answer.status === 401
}

function oauthError(answer: HttpAnswer): string | null {
  return findBody(answer, oauthErrorShape)?.error ?? null
}

function toTokens(answer: Static<typeof TokenAnswer>): ChatTokens {
  return {
    accessToken: answer.access_token,
    tokenType: answer.token_type,
    expiresIn: answer.expires_in,
    ...(answer.refresh_token === undefined ? {} : { refreshToken: answer.refresh_token }),
    scope: answer.scope,
  }
}

function toUser(answer: Static<typeof UserAnswer>, cdnUrl: string): ChatUser {
  const email = answer.email || null
  return {
    id: answer.id,
    username: visibleName(answer.username) || answer.id,
    globalName: visibleName(answer.global_name ?? '') || null,
    avatarUrl: avatarUrl(answer, cdnUrl),
    email,
    emailVerified: email !== null && answer.verified === true,
    isBot: answer.bot === true,
  }
}

/** The hash of an animated picture begins with `a_`. (Discord: Image Formatting) */
function avatarUrl({ id, avatar, discriminator = '0' }: Static<typeof UserAnswer>, cdnUrl: string): string {
  if (avatar) return `${cdnUrl}/avatars/${id}/${avatar}.${avatar.startsWith('a_') ? 'gif' : 'png'}`
  return `${cdnUrl}/embed/avatars/${defaultAvatar(id, discriminator)}.png`
}

/**
 * One of six pictures, by time of registration; accounts that still have four digits get one of five by these. (ibid.)
 */
function defaultAvatar(id: string, discriminator: string): number {
  return discriminator === '0' ? Number((BigInt(id) >> 22n) % 6n) : Number(discriminator) % 5
}

function toAuthorization(answer: Static<typeof AuthorizationAnswer>): ChatAuthorization {
  return {
    applicationId: answer.application.id,
    expiresAt: new Date(answer.expires),
    scopes: answer.scopes,
    userId: answer.user?.id ?? null,
  }
}

function toConnection({ type, name, verified, revoked }: Static<typeof ConnectionsAnswer>[number]): ChatConnection {
  return { type, name, isVerified: verified && revoked !== true }
}
