import { Type } from 'typebox'
import { anyone } from '../../core/actor.ts'
import { Answer, command } from '../../core/operation.ts'
import { exampleGuid, oneOf } from '../../core/schema.ts'
import { oauthHeaders } from '../../infra/http/errors.ts'
import { checkClientConfidential } from '../checks/client.ts'
import { checkGrantType, grantTypes } from '../checks/grant.ts'
import { checkGiven } from '../checks/parameters.ts'
import { isRefusal, refusalAnswer, Stolen } from '../problems.ts'
import { authenticate, ClientHeaders, clientParameters, clientProblems } from './authenticate.ts'
import { endStolenGrant, endToken } from './ending.ts'
import { ways } from './exchange.ts'
import { Introspection, introspect } from './introspect.ts'
import { ErrorResponse, TokenResponse } from './views.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

const exchange = command({
  name: 'oauth.token',
  method: 'POST',
  path: '/oauth/token',
  scope: 'public',
  allow: anyone,
  budget: 'sign-in',
  errors: 'oauth',
  summary: 'Exchange a code, a refresh token or a device code for an access token.',
  description:
    'Confidential applications authenticate by HTTP Basic; public ones name themselves by `client_id` and prove the code with `code_verifier`. A refresh token is good for one use: each refresh answers with the next one. Using a code or refresh token twice ends everything that the first use gave.',
  headers: ClientHeaders,
  parameters: Type.Object(
    {
      grant_type: oneOf(grantTypes, { description: 'What is exchanged; decides which other parameters are read.' }),
      code: text('For `authorization_code`.'),
      redirect_uri: text('For `authorization_code`: the same as in the authorization request.'),
      code_verifier: text('For `authorization_code`, where the request carried a `code_challenge`.'),
      refresh_token: text('For `refresh_token`.'),
      scope: text('For `refresh_token`: fewer scopes than were granted.'),
      device_code: text('For the device grant. (RFC 8628)'),
      ...clientParameters,
    },
    {
      examples: [
        {
          grant_type: 'authorization_code',
          code: 'SplxlOBeZQQYbYS6WxSbIA',
          redirect_uri: 'https://client.example/callback',
          client_id: exampleGuid,
          code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        },
      ],
    },
  ),
  reply: { 200: TokenResponse, 400: ErrorResponse },
  problems: {
    'scope.unknown': 400,
    ...clientProblems,
    'grant_type.unsupported': 400,
    'grant.invalid': 400,
    'grant.reused': 400,
    'grant.nothing_left': 400,
    'code.redirect_differs': 400,
    'verifier.wrong': 400,
    'scope.beyond': 400,
    'scope.no_game_account': 400,
    'device_code.pending': 400,
    'device_code.too_fast': 400,
    'device_code.denied': 400,
    'device_code.expired': 400,
  },
  run: async ({ tx, services, headers, request: { parameters }, now }) => {
    const client = await authenticate(tx, headers.authorization, parameters)
    try {
      const way = ways[checkGrantType(parameters)]
      const body = await way({ tx, services, client, parameters, now })
      return new Answer(200, { body, headers: oauthHeaders })
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (error instanceof Stolen) await endStolenGrant(tx, error, now)
      return refusalAnswer(error)
    }
  },
})

const tokenParameters = Type.Object(
  {
    token: Type.String({ description: 'An access token or a refresh token.' }),
    token_type_hint: text('Not needed: the two can be told apart.'),
    ...clientParameters,
  },
  { examples: [{ token: 'gmb1RkbbJDXTMiXEQIZJ0lDWkR2mwsHGS3q6kmNJPQ0' }] },
)

const revoke = command({
  name: 'oauth.revoke',
  method: 'POST',
  path: '/oauth/revoke',
  scope: 'public',
  allow: anyone,
  budget: 'sign-in',
  errors: 'oauth',
  summary: 'End a token of one’s own: a refresh token with everything of its grant, an access token alone.',
  description: 'A token that is unknown or has ended already is answered alike. (RFC 7009)',
  headers: ClientHeaders,
  parameters: tokenParameters,
  reply: { 200: Type.Object({}) },
  problems: { ...clientProblems, 'token.of_another': 400 },
  run: async ({ tx, services, headers, request: { parameters }, now }) => {
    const client = await authenticate(tx, headers.authorization, parameters)
    await endToken(tx, services, client, checkGiven(parameters, 'token'), now)
    return new Answer(200, { body: {}, headers: oauthHeaders })
  },
})

const introspection = command({
  name: 'oauth.introspect',
  method: 'POST',
  path: '/oauth/introspect',
  scope: 'public',
  allow: anyone,
  budget: 'sign-in',
  errors: 'oauth',
  summary: 'What a token is worth, for servers that accept tokens of this service.',
  description: 'Confidential applications only. (RFC 7662)',
  headers: ClientHeaders,
  parameters: tokenParameters,
  reply: { 200: Introspection },
  problems: { ...clientProblems, 'client.public': 401 },
  run: async ({ tx, services, headers, request: { parameters }, now }) => {
    const client = await authenticate(tx, headers.authorization, parameters)
    checkClientConfidential(client)
    const body = await introspect(tx, services, client, checkGiven(parameters, 'token'), now)
    return new Answer(200, { body, headers: oauthHeaders })
  },
})

export const tokenOperations = [exchange, revoke, introspection]
