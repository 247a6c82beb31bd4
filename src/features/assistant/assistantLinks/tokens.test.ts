import { createPublicKey, verify, webcrypto } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callAs } from '../../../../test/authorization.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeApplication, makeApplication, makeTournament } from '../../../../test/make.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'

let api: Harness
let user: Caller
let application: MadeApplication
beforeAll(async () => {
  api = await startHarness()
  user = await api.user()
  application = await makeApplication(api, user)
})
afterAll(() => api[Symbol.asyncDispose]())

const issue = (as: Caller, token = as.token) => api.call('POST', '/assistant/token', { token })
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const guid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
const partsOf = (token: string) => token.split('.') as [string, string, string]
const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
const write = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Verifies with the published keys only, without the library that signs. */
async function isSigned(token: string): Promise<boolean> {
  const [header, claims, signature] = partsOf(token)
  const { alg, kid } = read(header)
  const { keys } = (await api.get('//.well-known/jwks.json')).body
  const { publicKey } = (await api.get('/requestPublicSignature')).body
  const jwk = keys.find((key: { kid: string }) => key.kid === kid)
  const good = [createPublicKey({ key: jwk, format: 'jwk' }), createPublicKey(publicKey)].map((key) =>
    verify('RSA-SHA256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url')),
  )
  return alg === 'RS256' && good.every((one) => one)
}

/** Signs any claims with the service's own key. */
async function sign(claims: object): Promise<string> {
  const { kid, privateKey } = api.app.services.keys.current
  const text = `${write({ alg: 'RS256', typ: 'JWT', kid })}.${write(claims)}`
  const signature = await webcrypto.subtle.sign(
    'RSASSA-PKCS1-v1_5',
    privateKey as webcrypto.CryptoKey,
    Buffer.from(text),
  )
  return `${text}.${Buffer.from(signature).toString('base64url')}`
}

describe('a token for assistants’ servers', () => {
  test('says whose it is, for half a day, to whoever knows the published key', async () => {
    const before = Math.floor(Date.now() / 1000)
    const reply = await issue(user)
    const after = Math.ceil(Date.now() / 1000)
    expect([reply.status, reply.body]).toEqual([201, { token: expect.any(String), expiresAt: instant }])
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    const { token, expiresAt } = reply.body
    expect(await isSigned(token)).toBe(true)
    const claims = read(partsOf(token)[1])
    const { avatarUrl } = (await api.get('/users/@me', user)).body
    expect(claims).toEqual({
      iss: api.app.config.publicUrl,
      aud: 'assistant',
      sub: user.guid,
      guid: user.guid,
      jti: guid,
      id: user.chatPlatformId,
      username: user.username,
      avatarUrl,
      scopes: ['assistant', 'tournamentassistant'],
      iat: expect.any(Number),
      nbf: claims.iat,
      exp: claims.iat + 12 * 3600,
    })
    expect(claims.iat).toBeGreaterThanOrEqual(before)
    expect(claims.iat).toBeLessThanOrEqual(after)
    expect(expiresAt).toBe(new Date(claims.exp * 1000).toISOString())
  })

  test('is kept nowhere: it is in no list, no table and no event', async () => {
    const own = await api.user()
    const [{ count }] = (await api.sql<{ count: string }>('select count(*) from access_tokens')) as [{ count: string }]
    const { token } = (await issue(own)).body
    const { jti } = read(partsOf(token)[1])
    expect(await api.sql('select count(*) from access_tokens')).toEqual([{ count }])
    expect((await api.get('/users/@me/sessions', own)).text).not.toContain(jti)
    const [found] = await api.sql<{ lines: string }>(
      `select coalesce(string_agg(e::text, ' '), '') as lines from event_log e where e::text like '%' || $1 || '%'`,
      [jti],
    )
    expect(found?.lines).toBe('')
    expect((await api.get('/users/@me/export', own)).text).not.toContain(partsOf(token)[2])
    expect((await api.get('/users/@me/export', own)).body.held.assistantTokens.records).toEqual([
      { day: new Date().toISOString().slice(0, 10), issued: 1 },
    ])
  })

  test('needs a token with the scope for it, or one that may write', async () => {
    const outcomes = await Promise.all(
      [['assistant'], ['rest:write'], ['rest:read'], ['ws:write'], ['assistant:game'], ['rest:user:write']].map(
        async (scopes) => outcome(await issue(user, await api.token(user, scopes as ['assistant'], application)))[0],
      ),
    )
    expect(outcomes).toEqual([201, 201, 401, 401, 401, 401])
    expect(outcome(await api.post('/assistant/token', null))).toEqual([401, 'token.missing'])
  })

  test('is given thirty times a day and user, however many ask at once', async () => {
    const [own, other] = await Promise.all([api.user(), api.user()])
    const replies = await Promise.all(Array.from({ length: 50 }, () => issue(own)))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(30)
    const refused = replies.filter(({ status }) => status !== 201)
    expect(new Set(refused.map((reply) => outcome(reply).join()))).toEqual(new Set(['429,assistant.token_limit']))
    const wait = Number(refused[0]?.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(86_400)
    expect((await issue(other)).status).toBe(201)
    // As on the next day.
    await api.sql('update assistant_token_days set day = day - 1 where user_guid = $1', [own.guid])
    expect((await issue(own)).status).toBe(201)
    expect(await api.sql('select issued::int from assistant_token_days where user_guid = $1', [own.guid])).toEqual([
      { issued: 1 },
    ])
  })
})

describe('no token for servers of others is good here', () => {
  /**
   * Tokens with a valid signature and all claims of our access tokens except the audience, and tokens with fewer
   * claims.
   */
  async function tokensOfOthers(): Promise<[string, string][]> {
    const [, own] = partsOf(user.token)
    const ours = read(own)
    const { token } = (await issue(user)).body
    const claims = read(partsOf(token)[1])
    const { scope: _scope, ...bare } = ours
    return [
      ['own', token],
      [
        'game',
        await sign({
          ...claims,
          aud: 'game',
          scopes: ['assistant:game', 'tournamentassistant:game'],
          tokenType: 'game',
        }),
      ],
      // Tokens with the claims of a valid access token, but for another audience.
      ['own with all else of ours', await sign({ ...ours, aud: 'assistant' })],
      ['game with all else of ours', await sign({ ...ours, aud: 'game' })],
      ['of both audiences but ours', await sign({ ...ours, aud: ['assistant', 'game'] })],
      ['of no audience', await sign({ ...ours, aud: undefined })],
      ['of ours without a scope', await sign(bare)],
    ]
  }

  test('at operations, sockets, streams and the authorization server', async () => {
    const cup = await makeTournament(api, user)
    // The signing works: only the claims make the other tokens invalid.
    const control = await sign(read(partsOf(user.token)[1]))
    expect((await api.call('GET', '/users/@me', { token: control })).status).toBe(200)

    for (const [kind, token] of await tokensOfOthers()) {
      expect(await isSigned(token), kind).toBe(true)
      const calls: [string, string, object?][] = [
        ['GET', '/users/@me'],
        ['GET', '/users/@me/sessions'],
        ['GET', `/tournaments/${cup.guid}/assistant`],
        ['GET', '/userRoles'],
        ['POST', '/tournaments', { name: 'Mine', id: 'mine' }],
        ['PATCH', `/tournaments/${cup.guid}`, { name: 'Mine' }],
        ['POST', '/assistant/token'],
        ['POST', '/realtime/tickets', {}],
        ['DELETE', '/users/@me'],
      ]
      for (const [method, path, body] of calls) {
        const reply = await api.call(method, path, { token, ...(body === undefined ? {} : { body }) })
        expect(outcome(reply), `${kind}: ${method} ${path}`).toEqual([401, 'token.invalid'])
      }
      await expect(openSocket(api, { as: { ...user, token } }), kind).rejects.toThrow('401')
      await using socket = await openSocket(api)
      expect(await socket.ask({ type: 'authenticate', token }), kind).toMatchObject({ code: 'token.invalid' })
      const stream = await api.call('GET', `/events?topic=/tournaments/${cup.guid}&wait=0`, { token })
      expect([kind, stream.text.includes('snapshot')]).toEqual([kind, true])
      expect(stream.text).not.toContain('"isOrganiser":true')
      const introspected = await callAs({ api, application }, '/oauth/introspect', { token })
      expect([introspected.status, introspected.body], kind).toEqual([200, { active: false }])
      const revoked = await callAs({ api, application }, '/oauth/revoke', { token })
      expect(revoked.status, kind).toBe(200)
      const renewed = await callAs({ api, application }, '/oauth/token', {
        grant_type: 'refresh_token',
        refresh_token: token,
      })
      expect([renewed.status, renewed.body.error], kind).toEqual([400, 'invalid_grant'])
    }
    // None of these attempts has ended the user's own sign-in.
    expect((await api.get('/users/@me', user)).status).toBe(200)
  })
})
