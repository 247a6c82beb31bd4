import { type Static, Type } from 'typebox'
import { standInClient } from '../src/config.ts'
import { anyone } from '../src/core/actor.ts'
import { Answer, command, type Operation, query } from '../src/core/operation.ts'
import { invalid } from '../src/core/problem.ts'
import { nullable } from '../src/core/schema.ts'
import { formatInstant } from '../src/core/time.ts'
import { listUsers } from '../src/features/people/users/store/list.ts'
import { findUserByChatPlatformId, listUserFacts } from '../src/features/people/users/store/users.ts'
import type { Db } from '../src/infra/db/database.ts'
import { newSecret } from '../src/infra/secrets.ts'
import type { Services } from '../src/services.ts'
import { channelOperations } from './channel-routes.ts'
import { Channels } from './channels.ts'
import { checkOrigin, originProblems, origins } from './origin.ts'
import { signInPage } from './page.ts'
import {
  type Account,
  type ChatToken,
  chatTokenLifetimeSeconds,
  chatTokens,
  codes,
  describeAccount,
  describeConnections,
  inventedId,
  isOurClient,
  isProven,
  UsedCodes,
} from './platform.ts'
import { roleOperations } from './roles.ts'

/**
 * A stand-in for the chat platform in the same formats, so that the same client signs users in here. It exists only
 * without credentials for the real platform, which only the local environment allows. (D20)
 */
export function standInOperations(): readonly Operation[] {
  const account = [currentUser, connections, authorization]
  return [page, decide, exchange(new UsedCodes()), ...account, ...roleOperations, ...channelOperations(new Channels())]
}

const base = '/auth/stand-in'
const shown = 20

const request = {
  response_type: Type.String(),
  client_id: Type.String(),
  redirect_uri: Type.String({ maxLength: 500 }),
  scope: Type.Optional(Type.String({ maxLength: 200 })),
  state: Type.Optional(Type.String({ maxLength: 500 })),
  code_challenge: Type.Optional(Type.String({ maxLength: 128 })),
  code_challenge_method: Type.Optional(Type.String()),
}
const AuthorizationRequest = Type.Object(request)
type AuthorizationRequest = Static<typeof AuthorizationRequest>

const requestProblems = { 'stand_in.request_invalid': 400 } as const

/** Redirects lead only to our own callback. */
function checkRequest(asked: AuthorizationRequest, { config }: Services): void {
  const isOurs =
    asked.client_id === standInClient.id && asked.redirect_uri === `${config.publicUrl}/api/auth/chat/callback`
  const isSupported =
    asked.response_type === 'code' && (asked.code_challenge === undefined || asked.code_challenge_method === 'S256')
  if (!isOurs || !isSupported) {
    throw invalid('stand_in.request_invalid', 'This is not a sign-in that this installation has begun.')
  }
}

const page = query({
  name: 'standIn.page',
  method: 'GET',
  path: `${base}/oauth2/authorize`,
  scope: 'public',
  allow: anyone,
  budget: 'sign-in',
  summary: 'Choose or invent the user to sign in as.',
  query: AuthorizationRequest,
  reply: { 200: Type.String() },
  contentType: 'text/html',
  problems: requestProblems,
  run: async ({ db, services, query: asked }) => {
    checkRequest(asked, services)
    const newest = (await listUsers(db, { limit: shown })).slice(0, shown).map(({ guid }) => guid)
    const facts = await listUserFacts(db, newest)
    const users = newest.flatMap((guid) => facts.get(guid) ?? [])
    return signInPage(users, asked as Record<string, string>)
  },
})

const decide = command({
  name: 'standIn.decide',
  method: 'POST',
  path: `${base}/oauth2/authorize`,
  scope: 'public',
  allow: anyone,
  summary: 'Sign in as the user with the chat-platform ID `user`, or as somebody new called `name`.',
  headers: origins,
  bodyType: 'form',
  body: Type.Object({
    ...request,
    user: Type.Optional(Type.String({ pattern: '^[0-9]{1,20}$', description: 'Chat-platform ID.' })),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 32 })),
    decision: Type.Optional(Type.String({ description: '`deny` declines.' })),
  }),
  reply: { 302: nullable(Type.String()) },
  problems: { ...originProblems, ...requestProblems, 'stand_in.user_unknown': 400 },
  run: async ({ tx, services, headers, body, now }) => {
    checkOrigin(headers, services)
    checkRequest(body, services)
    const { redirect_uri: redirectUri, state, code_challenge: challenge = null, scope = '' } = body
    const location = new URL(redirectUri)
    if (body.decision === 'deny') {
      location.searchParams.set('error', 'access_denied')
      location.searchParams.set('error_description', 'The resource owner or authorization server denied the request')
    } else {
      const account = await accountOf(tx, body)
      const grant = { account, redirectUri, challenge, scope, nonce: newSecret() }
      location.searchParams.set('code', codes.close(services.seal, grant, now))
    }
    if (state !== undefined) location.searchParams.set('state', state)
    return new Answer(302, { headers: { location: location.href } })
  },
})

/** An existing user, or a new one with the given id or the id of the name. */
async function accountOf(db: Db, { user: id, name }: { user?: string; name?: string }): Promise<Account> {
  const known = id === undefined ? undefined : await findUserByChatPlatformId(db, id)
  if (known !== undefined) return { id: known.chatPlatformId, name: known.preferredName }
  if (name === undefined) {
    throw invalid('stand_in.user_unknown', 'Nobody here has this chat-platform ID; give a name to be somebody new.')
  }
  return { id: id ?? inventedId(name), name }
}

const OAuthError = Type.Object({ error: Type.String(), error_description: Type.Optional(Type.String()) })

function refusal(error: string, description: string): Answer {
  return new Answer(400, { body: { error, error_description: description } })
}

function exchange(used: UsedCodes): Operation {
  return command({
    name: 'standIn.exchange',
    method: 'POST',
    path: `${base}/oauth2/token`,
    scope: 'public',
    allow: anyone,
    summary: 'Exchange a code for a chat token.',
    headers: Type.Object({ ...origins.properties, authorization: Type.Optional(Type.String()) }),
    bodyType: 'form',
    body: Type.Object({
      grant_type: Type.Optional(Type.String()),
      code: Type.Optional(Type.String()),
      redirect_uri: Type.Optional(Type.String()),
      code_verifier: Type.Optional(Type.String()),
    }),
    reply: {
      200: Type.Object({
        token_type: Type.String(),
        access_token: Type.String(),
        expires_in: Type.Integer(),
        refresh_token: Type.String(),
        scope: Type.String(),
      }),
      400: OAuthError,
      401: OAuthError,
    },
    problems: originProblems,
    run: ({ services, headers, body, now }) => {
      checkOrigin(headers, services)
      if (!isOurClient(headers.authorization)) return new Answer(401, { body: { error: 'invalid_client' } })
      if (body.grant_type !== 'authorization_code') {
        return refusal('unsupported_grant_type', `Grant type ${body.grant_type} is not supported`)
      }
      const { code = '' } = body
      const grant = codes.open(services.seal, code, now)
      if (grant === null || !used.use(code)) return refusal('invalid_grant', 'Invalid "code" in request.')
      if (body.redirect_uri !== grant.redirectUri) {
        return refusal('invalid_request', 'Invalid "redirect_uri" in request.')
      }
      if (!isProven(grant, body.code_verifier)) {
        return refusal('invalid_grant', 'Invalid "code_verifier" in request.')
      }
      const { account, scope } = grant
      const expiresAt = now.getTime() + chatTokenLifetimeSeconds * 1000
      return {
        token_type: 'Bearer',
        access_token: chatTokens.close(services.seal, { account, scope, expiresAt }, now),
        expires_in: chatTokenLifetimeSeconds,
        refresh_token: newSecret(),
        scope,
      }
    },
  })
}

const bearer = Type.Object({ authorization: Type.Optional(Type.String()) })
const ApiError = Type.Object({ message: Type.String(), code: Type.Integer() })
const AccountAnswer = Type.Record(Type.String(), Type.Unknown())

const unauthorized = new Answer(401, { body: { message: '401: Unauthorized', code: 0 } })

function tokenOf({ authorization }: Static<typeof bearer>, services: Services, now: Date): ChatToken | null {
  const text = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  return text === undefined ? null : chatTokens.open(services.seal, text, now)
}

function scopesOf({ scope }: ChatToken): string[] {
  return scope.split(' ').filter((word) => word !== '')
}

const currentUser = query({
  name: 'standIn.currentUser',
  method: 'GET',
  path: `${base}/users/@me`,
  scope: 'public',
  allow: anyone,
  summary: 'Whose chat token it is.',
  headers: bearer,
  reply: { 200: AccountAnswer, 401: ApiError },
  run: async ({ db, services, headers, now }) => {
    const token = tokenOf(headers, services, now)
    if (token === null) return unauthorized
    return describeAccount(token.account, await findUserByChatPlatformId(db, token.account.id))
  },
})

const scopeLacks = new Answer(403, { body: { message: 'Missing Access', code: 50001 } })

const connections = query({
  name: 'standIn.connections',
  method: 'GET',
  path: `${base}/users/@me/connections`,
  scope: 'public',
  allow: anyone,
  summary: 'Which accounts elsewhere the owner of a chat token has.',
  headers: bearer,
  reply: { 200: Type.Array(AccountAnswer), 401: ApiError, 403: ApiError },
  run: async ({ db, services, headers, now }) => {
    const token = tokenOf(headers, services, now)
    if (token === null) return unauthorized
    if (!scopesOf(token).includes('connections')) return scopeLacks
    return [...describeConnections(token.account, await findUserByChatPlatformId(db, token.account.id))]
  },
})

const authorization = query({
  name: 'standIn.authorization',
  method: 'GET',
  path: `${base}/oauth2/@me`,
  scope: 'public',
  allow: anyone,
  summary: 'What a chat token is worth.',
  headers: bearer,
  reply: {
    200: Type.Object({
      application: AccountAnswer,
      scopes: Type.Array(Type.String()),
      expires: Type.String(),
      user: AccountAnswer,
    }),
    401: ApiError,
  },
  run: async ({ db, services, headers, now }) => {
    const token = tokenOf(headers, services, now)
    if (token === null) return unauthorized
    const { account, expiresAt } = token
    return {
      application: { id: standInClient.applicationId, name: 'Downbeat', icon: null, description: '' },
      scopes: scopesOf(token),
      expires: formatInstant(new Date(expiresAt)),
      user: describeAccount(account, await findUserByChatPlatformId(db, account.id)),
    }
  },
})
