import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allow, decide, makeParty, type Party } from '../../test/authorization.ts'
import { decideDevice, digestOf } from '../../test/device.ts'
import { type Harness, startHarness } from '../../test/harness.ts'

/**
 * The authorization server with clients written by others: two libraries that follow the standards, and refuse a server
 * that does not.
 */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const types = ['confidential', 'public'] as const
type ClientType = (typeof types)[number]

const redirects = { confidential: 'https://bot.example/callback', public: 'http://127.0.0.1:8091/callback' }
const partyOf = (type: ClientType) =>
  makeParty(api, { type, scopes: ['rest:read', 'ws:read'], redirectUris: [redirects[type]] })

/** Verifies an access token like a server that accepts our tokens. */
async function verify(token: string) {
  const { publicUrl: issuer } = api.app.config
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`))
  return (await jwtVerify(token, keys, { issuer, audience: issuer, algorithms: ['RS256'] })).payload
}

const me = async (token: string) => api.call('GET', '/users/@me', { token })

/** The answer as it would come from another server. (RFC 9207 §1) */
function fromElsewhere(answer: URL): URL {
  const other = new URL(answer)
  other.searchParams.set('iss', 'https://other.example')
  return other
}

function without(answer: URL, parameter: string): URL {
  const other = new URL(answer)
  other.searchParams.delete(parameter)
  return other
}

describe.each(types)('openid-client, as a %s client,', (type) => {
  let party: Party
  let config: client.Configuration
  beforeAll(async () => {
    party = await partyOf(type)
    const { clientId, clientSecret } = party.application
    const authentication = clientSecret === null ? client.None() : client.ClientSecretBasic(clientSecret)
    config = await client.discovery(new URL(api.url), clientId, undefined, authentication, {
      algorithm: 'oauth2',
      // As on a developer's own machine, without TLS.
      execute: [client.allowInsecureRequests],
    })
  })

  interface Attempt {
    readonly address: URL
    readonly checks: { readonly pkceCodeVerifier: string; readonly expectedState: string }
  }

  async function attempt(): Promise<Attempt> {
    const checks = { pkceCodeVerifier: client.randomPKCECodeVerifier(), expectedState: client.randomState() }
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: party.redirectUri,
      scope: 'rest:read',
      state: checks.expectedState,
      code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    return { address, checks }
  }

  async function signIn() {
    const { address, checks } = await attempt()
    return client.authorizationCodeGrant(config, await allow(party.browser, address), checks)
  }

  test('finds everything by discovery', () => {
    const metadata = config.serverMetadata()
    expect(metadata.issuer).toBe(api.url)
    expect([metadata.supportsPKCE(), metadata.authorization_response_iss_parameter_supported]).toEqual([true, true])
  })

  test('gets a token by code, which verifies with the published keys and is good for the API', async () => {
    const tokens = await signIn()
    expect([tokens.token_type.toLowerCase(), tokens.scope, tokens.expiresIn()]).toEqual([
      'bearer',
      'rest:read',
      expect.closeTo(5_184_000, -1),
    ])
    expect(await verify(tokens.access_token)).toMatchObject({
      client_id: party.application.clientId,
      scope: 'rest:read',
    })
    const address = new URL(`${api.url}/api/users/@me`)
    const response = await client.fetchProtectedResource(config, tokens.access_token, address, 'GET')
    expect(response.status).toBe(200)
    await expect(
      client.fetchProtectedResource(config, `${tokens.access_token}x`, address, 'GET'),
    ).rejects.toMatchObject({ status: 401, cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }] })
  })

  test('takes no answer of another issuer, nor one that names none, nor one with another state', async () => {
    const { address, checks } = await attempt()
    const answer = await allow(party.browser, address)
    for (const wrong of [fromElsewhere(answer), without(answer, 'iss'), without(answer, 'state')]) {
      await expect(client.authorizationCodeGrant(config, wrong, checks)).rejects.toMatchObject({
        code: 'OAUTH_INVALID_RESPONSE',
      })
    }
    const other = { ...checks, expectedState: client.randomState() }
    await expect(client.authorizationCodeGrant(config, answer, other)).rejects.toMatchObject({
      code: 'OAUTH_INVALID_RESPONSE',
    })
    expect((await client.authorizationCodeGrant(config, answer, checks)).access_token).toMatch(/^eyJ/)
  })

  test('is told in so many words what the user or the server refuses', async () => {
    const { address, checks } = await attempt()
    // The verifier of another client.
    const stolen = { ...checks, pkceCodeVerifier: client.randomPKCECodeVerifier() }
    const answer = await allow(party.browser, address)
    await expect(client.authorizationCodeGrant(config, answer, stolen)).rejects.toMatchObject({
      error: 'invalid_grant',
      status: 400,
    })
    address.searchParams.set('scope', 'rest:write')
    const beyond = new URL((await party.browser.visit(address)).headers.get('location') ?? '')
    await expect(client.authorizationCodeGrant(config, beyond, checks)).rejects.toMatchObject({
      code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR',
      error: 'invalid_scope',
    })
    // A confidential client's user is not asked again for granted scopes, so this request asks for more.
    address.searchParams.set('scope', 'ws:read')
    const denied = await decide(party.browser, await party.browser.visit(address), 'deny')
    const refusal = new URL(denied.headers.get('location') ?? '')
    await expect(client.authorizationCodeGrant(config, refusal, checks)).rejects.toMatchObject({
      error: 'access_denied',
    })
  })

  test('renews its tokens, and a refresh token that was used before ends them all', async () => {
    const first = await signIn()
    const second = await client.refreshTokenGrant(config, first.refresh_token ?? '')
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await me(second.access_token)).status).toBe(200)
    await expect(client.refreshTokenGrant(config, first.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect((await me(second.access_token)).status).toBe(401)
  })

  test('ends its tokens', async () => {
    const tokens = await signIn()
    await client.tokenRevocation(config, tokens.access_token)
    expect((await me(tokens.access_token)).status).toBe(401)
    await client.tokenRevocation(config, tokens.refresh_token ?? '', { token_type_hint: 'refresh_token' })
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    await client.tokenRevocation(config, 'what is no token')
  })

  test('may ask what a token is worth if it can keep a secret', async () => {
    const tokens = await signIn()
    if (type === 'public') {
      await expect(client.tokenIntrospection(config, tokens.access_token)).rejects.toMatchObject({ status: 401 })
      return
    }
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({
      active: true,
      client_id: party.application.clientId,
      scope: 'rest:read',
    })
    await client.tokenRevocation(config, tokens.access_token)
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false })
  })

  test('waits for a user who decides on another screen', async () => {
    const device = await client.initiateDeviceAuthorization(config, { scope: 'rest:read' })
    expect([device.interval, device.expires_in]).toEqual([5, 900])
    // Five seconds are long for a test; client and server use one second.
    const hash = digestOf(device.device_code)
    await api.sql('update device_requests set "interval" = 1 where device_code_hash = $1', [hash])
    const tokens = client.pollDeviceAuthorizationGrant(config, { ...device, interval: 1 })
    const asked = () =>
      api.sql('select 1 from device_requests where device_code_hash = $1 and asked_at is not null', [hash])
    await expect.poll(asked).toHaveLength(1)
    await decideDevice(party.browser, device)
    expect((await me((await tokens).access_token)).status).toBe(200)
  })

  test('stops waiting when the user refuses', async () => {
    const device = await client.initiateDeviceAuthorization(config, {})
    await decideDevice(party.browser, device, 'deny')
    await expect(client.pollDeviceAuthorizationGrant(config, { ...device, interval: 1 })).rejects.toMatchObject({
      error: 'access_denied',
    })
  })
})

describe.each(types)('oauth4webapi, as a %s client,', (type) => {
  const insecure = { [oauth.allowInsecureRequests]: true }
  let party: Party
  let server: oauth.AuthorizationServer
  let self: oauth.Client
  let authentication: oauth.ClientAuth
  beforeAll(async () => {
    // An address with a query of its own, which must stay: openid-client would omit it from the exchange.
    party = await makeParty(api, {
      type,
      scopes: ['rest:read', 'ws:read'],
      redirectUris: [`${redirects[type]}?tenant=7&mode=a%20b`],
    })
    const { clientId, clientSecret } = party.application
    self = { client_id: clientId }
    authentication = clientSecret === null ? oauth.None() : oauth.ClientSecretBasic(clientSecret)
    const issuer = new URL(api.url)
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
    server = await oauth.processDiscoveryResponse(issuer, response)
  })

  interface Answered {
    readonly answer: URL
    readonly state: string
    readonly verifier: string
  }

  async function ask(): Promise<Answered> {
    const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()]
    const address = new URL(server.authorization_endpoint ?? '')
    address.search = new URLSearchParams({
      response_type: 'code',
      client_id: self.client_id,
      redirect_uri: party.redirectUri,
      scope: 'rest:read',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString()
    return { answer: await allow(party.browser, address), state, verifier }
  }

  async function redeem({ answer, state, verifier }: Answered): Promise<oauth.TokenEndpointResponse> {
    const parameters = oauth.validateAuthResponse(server, self, answer, state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      self,
      authentication,
      parameters,
      party.redirectUri,
      verifier,
      insecure,
    )
    return oauth.processAuthorizationCodeResponse(server, self, response)
  }

  test('goes the whole way: code, API, refresh, revocation', async () => {
    const answered = await ask()
    expect(Object.fromEntries(answered.answer.searchParams)).toMatchObject({ tenant: '7', mode: 'a b', iss: api.url })
    const first = await redeem(answered)
    expect(await verify(first.access_token)).toMatchObject({ client_id: self.client_id, scope: 'rest:read' })
    const address = new URL(`${api.url}/api/users/@me`)
    const resource = await oauth.protectedResourceRequest(
      first.access_token,
      'GET',
      address,
      new Headers(),
      null,
      insecure,
    )
    expect(resource.status).toBe(200)

    const refreshed = await oauth.refreshTokenGrantRequest(
      server,
      self,
      authentication,
      first.refresh_token ?? '',
      insecure,
    )
    const second = await oauth.processRefreshTokenResponse(server, self, refreshed)
    expect((await me(second.access_token)).status).toBe(200)

    const revoked = await oauth.revocationRequest(server, self, authentication, second.refresh_token ?? '', insecure)
    await oauth.processRevocationResponse(revoked)
    for (const { access_token } of [first, second]) expect((await me(access_token)).status).toBe(401)
  })

  test('takes no answer of another issuer, nor one that names none, nor a code twice', async () => {
    const answered = await ask()
    for (const wrong of [fromElsewhere(answered.answer), without(answered.answer, 'iss')]) {
      await expect(redeem({ ...answered, answer: wrong })).rejects.toMatchObject({ code: oauth.INVALID_RESPONSE })
    }
    const tokens = await redeem(answered)
    await expect(redeem(answered)).rejects.toMatchObject({ error: 'invalid_grant', status: 400 })
    expect((await me(tokens.access_token)).status).toBe(401)
  })

  test('is challenged where it cannot say who it is', async () => {
    const stranger = oauth.ClientSecretBasic('a guess')
    const response = await oauth.refreshTokenGrantRequest(server, self, stranger, 'x', insecure)
    await expect(oauth.processRefreshTokenResponse(server, self, response)).rejects.toMatchObject({
      code: oauth.WWW_AUTHENTICATE_CHALLENGE,
      status: 401,
      cause: [{ scheme: 'basic', parameters: { realm: 'Downbeat' } }],
    })
  })

  test('asks what tokens are worth if it can keep a secret', async () => {
    const { access_token, refresh_token } = await redeem(await ask())
    const introspect = async (token: string) => {
      const response = await oauth.introspectionRequest(server, self, authentication, token, insecure)
      return oauth.processIntrospectionResponse(server, self, response)
    }
    if (type === 'public') {
      await expect(introspect(access_token)).rejects.toMatchObject({ status: 401 })
      return
    }
    for (const token of [access_token, refresh_token ?? '']) {
      expect(await introspect(token)).toMatchObject({ active: true, client_id: self.client_id })
    }
    expect(await introspect('x')).toEqual({ active: false })
  })

  test('asks for a device, and is told to wait, to slow down, and when to stop', async () => {
    const begun = await oauth.deviceAuthorizationRequest(server, self, authentication, {}, insecure)
    const device = await oauth.processDeviceAuthorizationResponse(server, self, begun)
    const poll = async () => {
      const response = await oauth.deviceCodeGrantRequest(server, self, authentication, device.device_code, insecure)
      return oauth.processDeviceCodeResponse(server, self, response)
    }
    await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending' })
    await expect(poll()).rejects.toMatchObject({ error: 'slow_down' })
    await decideDevice(party.browser, device)
    const tokens = await poll()
    expect([tokens.scope, (await me(tokens.access_token)).status]).toEqual(['rest:read ws:read', 200])
    await expect(poll()).rejects.toMatchObject({ error: 'invalid_grant' })
    expect((await me(tokens.access_token)).status).toBe(401)
  })
})
