import { type Static, Type } from 'typebox'
import { Guid, Instant, NextCursor, nullable, oneOf } from '../../../core/schema.ts'
import { scopes } from '../../../core/scopes.ts'
import { formatInstant } from '../../../core/time.ts'
import type { GrantedApplication, SignIn } from './types.ts'

const SignInView = Type.Object(
  {
    guid: Guid,
    kind: oneOf(['website', 'client'], {
      description: '`website`: the browser holds a cookie. `client`: a program exchanged a chat token for one of ours.',
    }),
    userAgent: nullable(Type.String(), 'What the browser or program called itself when it signed in.'),
    createdAt: Instant,
    lastSeenAt: Type.String({ format: 'date-time', description: 'When it was last used, to the hour.' }),
    expiresAt: Instant,
    current: Type.Boolean({ description: 'Whether the token of this call came from it.' }),
  },
  { title: 'SignIn' },
)

const GrantView = Type.Object(
  {
    clientId: Guid,
    name: Type.String({ examples: ['Overlay Studio'] }),
    imageUrl: nullable(Type.String()),
    scopes: Type.Array(oneOf(scopes), {
      description: 'What it may do by one or another of its tokens, and what the user has agreed to.',
    }),
    grantedAt: Instant,
    lastIssuedAt: nullable(Instant, 'When it was last given a token; null where it holds none any more.'),
    expiresAt: nullable(
      Instant,
      'When its last token expires, unless it asks for another before; null where it holds none any more, while what the user has agreed to stands.',
    ),
    current: Type.Boolean({ description: 'Whether it is this application that asks.' }),
  },
  { title: 'GrantedApplication' },
)

export const AccessView = Type.Object(
  {
    websites: Type.Integer({ description: 'Browsers that are signed in on the website.', examples: [2] }),
    clients: Type.Integer({ description: 'Programs that exchanged a chat token.', examples: [0] }),
    applications: Type.Integer({ description: 'Applications that hold a token of the user.', examples: [1] }),
    tokens: Type.Integer({ description: 'Valid access tokens, those of all of these together.', examples: [4] }),
  },
  { title: 'StandingAccess', description: 'What acts for the user now. A ban ends all of it at once.' },
)

export const SignInsView = Type.Object({
  sessions: Type.Array(SignInView),
  applications: Type.Array(GrantView, {
    description: 'Applications that hold a token of the user, or that the user has agreed to let act; on every page.',
  }),
  nextCursor: NextCursor,
})

export function signInView(signIn: SignIn): Static<typeof SignInView> {
  return {
    guid: signIn.guid,
    kind: signIn.isWebsite ? 'website' : 'client',
    userAgent: signIn.userAgent,
    createdAt: formatInstant(signIn.createdAt),
    lastSeenAt: formatInstant(signIn.lastSeenAt),
    expiresAt: formatInstant(signIn.expiresAt),
    current: signIn.isCurrent,
  }
}

export function grantView(grant: GrantedApplication, askingClientId: string | null): Static<typeof GrantView> {
  return {
    clientId: grant.clientId,
    name: grant.name,
    imageUrl: grant.imageUrl,
    scopes: [...grant.scopes],
    grantedAt: formatInstant(grant.grantedAt),
    lastIssuedAt: formatInstant(grant.lastIssuedAt),
    expiresAt: formatInstant(grant.expiresAt),
    current: grant.clientId === askingClientId,
  }
}

export const TokenView = Type.Object(
  {
    token: Type.String({ description: 'The access token, under the name that `GET /requestAuthToken` uses.' }),
    access_token: Type.String({ description: 'The same, under the name that the OAuth token response uses.' }),
    token_type: oneOf(['Bearer']),
    expires_in: Type.Integer({ description: 'Seconds.', examples: [5_184_000] }),
    scope: Type.String({ description: 'Space-separated.', examples: ['rest:write ws:write'] }),
  },
  { title: 'WebsiteToken' },
)

export const JwksView = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: oneOf(['RSA']),
      n: Type.String(),
      e: Type.String(),
      kid: Type.String(),
      alg: oneOf(['RS256']),
      use: oneOf(['sig']),
    }),
  ),
})
