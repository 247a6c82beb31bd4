import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorize, callAs, makeParty, obtain, type Party } from '../../test/authorization.ts'
import { type Harness, type Reply, startHarness } from '../../test/harness.ts'

/** The authorization server's metadata, by RFC 8414, and that it is true. */

let api: Harness
let party: Party
let metadata: Record<string, string & string[]>
beforeAll(async () => {
  api = await startHarness()
  party = await makeParty(api)
  metadata = (await read(api)).body
})
afterAll(() => api[Symbol.asyncDispose]())

/** RFC 8414 §3: under the issuer, which has no path. */
const read = (service: Harness): Promise<Reply> => service.get('//.well-known/oauth-authorization-server')
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** The metadata of a server at this address. (§2; RFC 9207 §3; RFC 8628 §4; rest-interface: Authentication, 3) */
const expected = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/api/oauth/authorize`,
  token_endpoint: `${issuer}/api/oauth/token`,
  jwks_uri: `${issuer}/.well-known/jwks.json`,
  revocation_endpoint: `${issuer}/api/oauth/revoke`,
  introspection_endpoint: `${issuer}/api/oauth/introspect`,
  device_authorization_endpoint: `${issuer}/api/oauth/device_authorization`,
  service_documentation: `${issuer}/api/docs/`,
  scopes_supported: [
    'rest:user:read',
    'rest:user:write',
    'rest:read',
    'rest:write',
    'ws:read',
    'ws:write',
    'assistant',
    'assistant:game',
    'compsystem',
  ],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'none'],
  revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'none'],
  introspection_endpoint_auth_methods_supported: ['client_secret_basic'],
  authorization_response_iss_parameter_supported: true,
})

describe('§2, §3.2 the document', () => {
  test('has all that the server can do, under the address that it runs at', async () => {
    const reply = await read(api)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(reply.body).toEqual(expected(api.url))
  })

  test('names the address that clients see, where that is another one', async () => {
    await using proxied = await startHarness({ publicUrl: 'https://cups.example' })
    expect((await read(proxied)).body).toEqual(expected('https://cups.example'))
  })

  test('is the same for whoever asks, and on every process', async () => {
    await using sibling = await api.sibling()
    const { text } = await read(api)
    expect((await read(sibling)).text).toBe(text)
    const { token } = await api.user()
    expect((await api.call('GET', '//.well-known/oauth-authorization-server', { token })).text).toBe(text)
  })

  test('may be kept, and asked about by its validator', async () => {
    const reply = await read(api)
    expect(reply.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    const etag = reply.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    const again = await api.get('//.well-known/oauth-authorization-server', null, { 'if-none-match': etag })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    const head = await api.call('HEAD', '//.well-known/oauth-authorization-server')
    expect([head.status, head.headers.get('etag')]).toEqual([200, etag])
  })
})

describe('a program in a browser', () => {
  const origin = 'https://overlay.example'

  test('can read it, and the keys, from any origin', async () => {
    for (const path of ['//.well-known/oauth-authorization-server', '//.well-known/jwks.json']) {
      const reply = await api.get(path, null, { origin })
      expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
      expect(reply.headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  test('can call what clients call themselves, and read its refusals', async () => {
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/device_authorization']) {
      const preflight = await api.call('OPTIONS', path, {
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
      })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-type')
      const reply = await api.call('POST', path, {
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
        raw: 'client_id=nobody',
      })
      expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([401, '*'])
    }
  })

  test('can read nothing of the pages where users decide', async () => {
    for (const path of ['/oauth/authorize', '//device']) {
      const reply = await api.get(path, null, { origin })
      expect(reply.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

describe('what it says is so', () => {
  test('every address that it names is one of the service', async () => {
    const addresses = Object.entries(metadata).filter(([name]) => /_(endpoint|uri|documentation)$/.test(name))
    expect(addresses.length).toBe(7)
    for (const [name, address] of addresses) {
      const isPage = /^(authorization_endpoint|jwks_uri|service_documentation)$/.test(name)
      const response = await fetch(address, { method: isPage ? 'GET' : 'POST', redirect: 'manual' })
      expect(response.headers.get('problem-code'), name).not.toBe('route.unknown')
      expect(response.status, name).toBeLessThan(500)
    }
  })

  test('its issuer is that of tokens, of authorization responses, and of introspection', async () => {
    const answer = await authorize(party)
    const { access_token } = await obtain(party)
    const introspected = await callAs(party, '/oauth/introspect', { token: access_token })
    const { iss, aud } = claimsOf(access_token)
    const { issuer } = metadata
    expect([iss, aud, answer.get('iss'), introspected.body.iss]).toEqual([issuer, issuer, issuer, issuer])
  })

  test('its keys are those that tokens are signed with', async () => {
    const { access_token } = await obtain(party)
    const { kid } = JSON.parse(Buffer.from(access_token.split('.')[0] ?? '', 'base64url').toString())
    const keys = await fetch(metadata.jwks_uri ?? '').then(
      (response) => response.json() as Promise<{ keys: { kid: string }[] }>,
    )
    expect(keys.keys.map((key) => key.kid)).toContain(kid)
  })

  test('its grant types are known to the token endpoint, and no other is', async () => {
    const errorOf = async (grant_type: string) => (await callAs(party, '/oauth/token', { grant_type })).body.error
    for (const type of metadata.grant_types_supported ?? []) expect(await errorOf(type)).toBe('invalid_request')
    for (const type of ['password', 'client_credentials', 'implicit', 'urn:ietf:params:oauth:grant-type:jwt-bearer']) {
      expect(await errorOf(type)).toBe('unsupported_grant_type')
    }
  })

  test('its scopes may be registered and asked for, each of them', async () => {
    const everything = await makeParty(api, { scopes: metadata.scopes_supported as never })
    const { token } = (await everything.browser.post('/api/auth/token')).body
    // A token for games names a game account, so its user needs one.
    await api.sql(
      `insert into identities (user_guid, platform, external_id, verified_at) values ($1, 'ranking-a', '76561190000000001', now())`,
      [decodeJwt(token).sub],
    )
    const scope = metadata.scopes_supported?.join(' ') ?? ''
    expect((await obtain(everything, scope)).scope).toBe(scope)
  })
})
