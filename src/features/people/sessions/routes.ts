import { Type } from 'typebox'
import { anyone, isSignedIn, signedIn } from '../../../core/actor.ts'
import { Answer, command, query } from '../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../core/page.ts'
import { invalid, unauthenticated } from '../../../core/problem.ts'
import { nullable, oneOf, PageQuery } from '../../../core/schema.ts'
import { firstPartyScopes } from '../../../core/scopes.ts'
import { sealedForm } from '../../../infra/sealed.ts'
import { challengeOf, isSame, newSecret } from '../../../infra/secrets.ts'
import type { Services } from '../../../services.ts'
import { chatProblems, exchangeCode, ownApplicationId, ownerOfToken } from '../users/prepare.ts'
import type { ProfilePart } from '../users/rules/profile-parts.ts'
import { endSignIn, issueWebsiteToken, signOut, startClientSession, startWebsiteSession } from './commands.ts'
import {
  checkReturnPath,
  locationOf,
  maxReturnPathLength,
  noSessionCookie,
  noSignInCookie,
  readSignInCookie,
  sessionCookie,
  signInCookie,
  signInLifetimeSeconds,
} from './rules.ts'
import { countAccess, listSignIns } from './store.ts'
import { AccessView, grantView, JwksView, SignInsView, signInView, TokenView } from './views.ts'

const nothing = nullable(Type.String())

/** Administrators see how much a ban would end, but not from where or through which applications somebody acts. (D24) */
export const accessProfilePart: ProfilePart = {
  shownTo: ['administrators'],
  schema: AccessView,
  load: (db, { guid }, { now }) => countAccess(db, guid, now),
}

/**
 * The data of a sign-in that its callback needs. It is kept in the browser's cookie, so that anonymous callers save
 * nothing here.
 */
interface Attempt {
  readonly state: string
  readonly verifier: string
  readonly returnTo: string
}
const attempts = sealedForm<Attempt>('sign-in', signInLifetimeSeconds)

function redirectUriOf({ config }: Services): string {
  return `${config.publicUrl}/api/auth/chat/callback`
}

const begin = query({
  name: 'sessions.signIn',
  method: 'GET',
  path: '/auth/chat',
  scope: 'public',
  allow: anyone,
  budget: 'sign-in',
  errors: 'page',
  summary: 'Sign in on the website through the chat platform.',
  description: 'For browsers. Leads to the chat platform, which leads back to `/auth/chat/callback`.',
  query: Type.Object({
    return_to: Type.Optional(
      Type.String({
        maxLength: maxReturnPathLength,
        description: 'Path on the website to go on to; `/` unless given.',
        examples: ['/tournaments'],
      }),
    ),
  }),
  reply: { 302: nothing },
  problems: { 'sign_in.return_invalid': 400 },
  prepare: async ({ clients, services, query: { return_to: returnTo = '/' }, now }) => {
    checkReturnPath(returnTo)
    const attempt: Attempt = { state: newSecret(), verifier: newSecret(), returnTo }
    const location = clients.chat.authorizeUrl({
      state: attempt.state,
      redirectUri: redirectUriOf(services),
      codeChallenge: challengeOf(attempt.verifier),
    })
    return { location, cookie: signInCookie(attempts.close(services.seal, attempt, now)) }
  },
  run: ({ prepared: { location, cookie } }) => new Answer(302, { headers: { location }, cookies: [cookie] }),
})

const callback = command({
  name: 'sessions.callback',
  method: 'GET',
  path: '/auth/chat/callback',
  scope: 'public',
  allow: anyone,
  budget: 'sign-in',
  errors: 'page',
  summary: 'Where the chat platform leads the browser back to; sets the session cookie.',
  description:
    'For browsers: it is no use to call it oneself. Only the browser in which the sign-in began can end it, within ten minutes, and it is led on to what `return_to` named.',
  query: Type.Object({
    code: Type.Optional(
      Type.String({ maxLength: 2_000, description: 'What the chat platform gives for the sign-in.' }),
    ),
    state: Type.Optional(Type.String({ maxLength: 200, description: 'What the sign-in was begun with.' })),
    error: Type.Optional(Type.String({ maxLength: 200, description: '`access_denied` when the user declined.' })),
  }),
  reply: { 302: nothing },
  problems: {
    'user.unknown': 404,
    'sign_in.state_invalid': 400,
    'sign_in.declined': 400,
    'sign_in.code_refused': 400,
    'user.banned': 403,
    ...chatProblems,
  },
  prepare: async ({ clients, services, query: { code, state = '', error }, request, now }) => {
    const attempt = attempts.open(services.seal, readSignInCookie(request.cookies), now)
    if (attempt === null || !isSame(attempt.state, state)) {
      throw invalid(
        'sign_in.state_invalid',
        'This sign-in was not begun in this browser, or more than ten minutes ago; begin it again on the website.',
      )
    }
    if (error === 'access_denied') {
      throw invalid('sign_in.declined', 'The sign-in was declined on the chat platform; begin it again to sign in.')
    }
    const refusal = invalid(
      'sign_in.code_refused',
      'The chat platform did not confirm this sign-in; begin it again on the website.',
    )
    if (code === undefined) throw refusal
    const grant = { code, redirectUri: redirectUriOf(services), codeVerifier: attempt.verifier }
    return { profile: await exchangeCode(clients.chat, grant, refusal), returnTo: attempt.returnTo }
  },
  run: async ({ tx, services, prepared: { profile, returnTo }, request, now }) => {
    const secret = newSecret()
    const { address, userAgent } = request
    await startWebsiteSession(tx, services, { profile, address, userAgent }, secret, now)
    const headers = { location: locationOf(returnTo) }
    return new Answer(302, { headers, cookies: [sessionCookie(secret), noSignInCookie] })
  },
})

const token = command({
  name: 'sessions.token',
  method: 'POST',
  path: '/auth/token',
  scope: 'session',
  allow: signedIn,
  budget: 'sign-in',
  summary: 'An access token for the website itself.',
  description: 'It lasts until it expires or the sign-in that it belongs to is ended.',
  reply: { 200: TokenView },
  run: async ({ tx, services, request, now }) => {
    const issued = await issueWebsiteToken(tx, services, request.cookies, now)
    return {
      token: issued,
      access_token: issued,
      token_type: 'Bearer' as const,
      expires_in: services.tokens.lifetimeSeconds,
      scope: firstPartyScopes.join(' '),
    }
  },
})

const end = command({
  name: 'sessions.signOut',
  method: 'POST',
  path: '/auth/sign-out',
  scope: 'session',
  allow: signedIn,
  summary: 'Sign out on the website; revokes the tokens that it was given.',
  description:
    'Ends the sign-in whose cookie comes along, at once and on all processes; other sign-ins of the user stay.',
  reply: { 204: nothing },
  run: async ({ tx, services, request, now }) => {
    await signOut(tx, services, request.cookies, now)
    return new Answer(204, { cookies: [noSessionCookie] })
  },
})

const requestAuthToken = command({
  name: 'sessions.requestAuthToken',
  method: 'GET',
  path: '/requestAuthToken',
  scope: 'public',
  allow: anyone,
  budget: 'sign-in',
  summary: 'Exchange a token of the chat platform for an access token.',
  description:
    'For clients that did the chat sign-in themselves. The token must have been issued to this service’s own chat application, with the scope `identify`.',
  headers: Type.Object({
    authorization: Type.Optional(
      Type.String({ maxLength: 2_100, description: '`Bearer` and a token of the chat platform.' }),
    ),
  }),
  reply: { 200: Type.Object({ token: Type.String() }) },
  problems: {
    'user.unknown': 404,
    'chat.token_missing': 401,
    'chat.token_refused': 401,
    'user.banned': 403,
    ...chatProblems,
  },
  prepare: async ({ clients, services, actor, headers, now }) => {
    const chatToken = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
    if (chatToken === undefined) {
      throw unauthenticated(
        'chat.token_missing',
        'Send the chat platform’s token in the header `Authorization: Bearer <token>`.',
      )
    }
    const refusal = unauthenticated(
      'chat.token_refused',
      'This is not a valid token that the chat platform has issued to this service’s application.',
      { error: 'invalid_token', error_description: 'The chat token is invalid, expired or of another application' },
    )
    // One of the service's own tokens must not be sent to the chat platform.
    if (isSignedIn(actor)) throw refusal
    return ownerOfToken(clients.chat, chatToken, ownApplicationId(services), now, refusal)
  },
  run: async ({ tx, services, prepared: profile, request: { address, userAgent }, now }) => ({
    token: await startClientSession(tx, services, { profile, address, userAgent }, now),
  }),
})

const publicKey = query({
  name: 'sessions.publicKey',
  method: 'GET',
  path: '/requestPublicSignature',
  scope: 'public',
  allow: anyone,
  summary: 'The public key that verifies newly issued access tokens.',
  description: 'After a change of keys, tokens of the key before verify with `/.well-known/jwks.json`, which has all.',
  reply: {
    200: Type.Object({ algorithm: oneOf(['RS256']), publicKey: Type.String({ description: 'PEM (SPKI).' }) }),
  },
  run: async ({ services, now }) => ({
    algorithm: 'RS256' as const,
    publicKey: await services.tokens.publicPem(now),
  }),
})

const jwks = query({
  name: 'oauth.jwks',
  method: 'GET',
  path: '/.well-known/jwks.json',
  root: true,
  scope: 'public',
  allow: anyone,
  summary: 'The public keys of all access tokens that may still be valid, as a JWK set.',
  description:
    'Verify access tokens with the key that their `kid` names, and read the set again when one is not in it: keys change.',
  reply: { 200: JwksView },
  run: async ({ services, now }) => services.tokens.jwks(now),
})

const signInsList = 'sessions'

const list = query({
  name: 'sessions.list',
  method: 'GET',
  path: '/users/@me/sessions',
  scope: 'rest:user:read',
  allow: signedIn,
  summary: 'Where the signed-in user is signed in, newest first, and which applications act for them.',
  description:
    'A sign-in is a browser on the website, or a program that was given a token for a chat token. Each can be ended by `DELETE /users/@me/sessions/{session}`.',
  query: Type.Object(PageQuery),
  reply: { 200: SignInsView },
  run: async ({ db, services, actor, query: { limit = defaultPageSize, before }, now }) => {
    const after = decodeCursor(signInsList, before, isMakingPosition)
    const [rows, applications] = await Promise.all([
      listSignIns(db, actor.guid, { jti: actor.token?.jti ?? null, after, limit, now }),
      services.tokens.listGrantedApplications(db, actor.guid, now),
    ])
    const page = toPage(signInsList, rows, limit, makingPosition)
    return {
      sessions: page.items.map(signInView),
      applications: applications.map((grant) => grantView(grant, actor.token?.clientId ?? null)),
      nextCursor: page.nextCursor,
    }
  },
})

const revoke = command({
  name: 'sessions.revoke',
  method: 'DELETE',
  path: '/users/@me/sessions/:session',
  scope: 'rest:user:write',
  allow: signedIn,
  summary: 'End a sign-in, or what was granted to an application, with all its tokens.',
  description: '`session` is the GUID of a sign-in or the client id of an application.',
  reply: { 204: nothing },
  problems: { 'session.unknown': 404 },
  run: async ({ tx, services, actor, session, now }) => {
    await endSignIn(tx, services, actor, session, now)
    return new Answer(204)
  },
})

export const sessionsOperations = [begin, callback, token, end, requestAuthToken, publicKey, jwks, list, revoke]
