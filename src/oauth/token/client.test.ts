import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic, makeParty, obtain, type Party } from '../../../test/authorization.ts'
import { type Harness, type Reply, startHarness } from '../../../test/harness.ts'
import { type MadeApplication, makeApplication } from '../../../test/make.ts'
import { expectOAuthError } from '../../../test/oauth-answers.ts'
import type { Allowances } from '../../infra/http/limits.ts'

let api: Harness
let mine: { clientId: string; clientSecret: string }
let other: { clientId: string; clientSecret: string }
let native: MadeApplication
beforeAll(async () => {
  api = await startHarness()
  const owner = await api.user()
  const secretOf = ({ clientId, clientSecret }: MadeApplication) => ({ clientId, clientSecret: clientSecret ?? '' })
  mine = secretOf(await makeApplication(api, owner))
  other = secretOf(await makeApplication(api, owner))
  native = await makeApplication(api, owner, { type: 'public' })
})
afterAll(() => api[Symbol.asyncDispose]())

const unknown = '5a0c1b1e-6f0e-4df0-8f0f-0d3a8e6a5b11'
const paths = ['/oauth/token', '/oauth/revoke', '/oauth/introspect', '/oauth/device_authorization'] as const

function post(path: string, authorization: string | null, members: Record<string, string>): Promise<Reply> {
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  if (authorization !== null) headers.authorization = authorization
  return api.call('POST', path, { headers, raw: new URLSearchParams(members).toString() })
}

/**
 * Requests tokens for a code that does not exist: an authenticated client learns that, any other only that it is not
 * authenticated.
 */
const ask = (authorization: string | null, members: Record<string, string> = {}) =>
  post('/oauth/token', authorization, {
    grant_type: 'authorization_code',
    code: 'none',
    redirect_uri: 'https://client.example/callback',
    ...members,
  })

const encoded = (text: string) => Buffer.from(text).toString('base64')
const right = () => basic(mine.clientId, mine.clientSecret)
const everyCharacter = (text: string) => text.replace(/./g, (char) => `%${char.charCodeAt(0).toString(16)}`)

describe('RFC 6749 §2.3.1: a confidential client is known by HTTP Basic', () => {
  const ways: [string, () => string][] = [
    ['as it is', right],
    ['by a scheme in lower case', () => right().replace('Basic', 'basic')],
    [
      'with every character form-encoded',
      () => `Basic ${encoded(`${everyCharacter(mine.clientId)}:${everyCharacter(mine.clientSecret)}`)}`,
    ],
    ['by its id in capitals', () => basic(mine.clientId.toUpperCase(), mine.clientSecret)],
  ]

  test.each(ways)('%s', async (_what, authorization) => {
    expectOAuthError(await ask(authorization()), 400, 'invalid_grant')
  })

  test('beside its own id among the parameters', async () => {
    expectOAuthError(await ask(right(), { client_id: mine.clientId }), 400, 'invalid_grant')
  })

  test('and not beside that of another', async () => {
    expectOAuthError(await ask(right(), { client_id: other.clientId }), 400, 'invalid_request')
  })
})

describe('RFC 6749 §5.2: a client is refused', () => {
  const headers: [string, () => string | null][] = [
    ['with a wrong secret', () => basic(mine.clientId, 'wrong')],
    ['with a secret in another case', () => basic(mine.clientId, swapped(mine.clientSecret))],
    ['with a secret and a character more', () => basic(mine.clientId, `${mine.clientSecret}A`)],
    ['with a secret and NUL', () => basic(mine.clientId, `${mine.clientSecret}\u0000`)],
    ['with an empty secret', () => basic(mine.clientId, '')],
    ['with an overlong secret', () => basic(mine.clientId, 'a'.repeat(6_000))],
    ['with another client’s secret', () => basic(mine.clientId, other.clientSecret)],
    ['with its hash as the secret', () => basic(mine.clientId, Buffer.from(mine.clientSecret).toString('hex'))],
    ['as nobody', () => basic('', mine.clientSecret)],
    ['as an unknown client', () => basic(unknown, mine.clientSecret)],
    ['as a client that is no GUID', () => basic("x' or '1'='1", mine.clientSecret)],
    ['as a client with NUL', () => basic(`${mine.clientId}\u0000`, mine.clientSecret)],
    ['the wrong way round', () => basic(mine.clientSecret, mine.clientId)],
    ['without a colon', () => `Basic ${encoded(mine.clientId)}`],
    ['with two colons', () => `Basic ${encoded(`${mine.clientId}:${mine.clientSecret}:`)}`],
    ['with escapes that are none', () => `Basic ${encoded(`${mine.clientId}:${mine.clientSecret}%zz`)}`],
    ['with escapes that are not UTF-8', () => `Basic ${encoded(`${mine.clientId}:%ff%fe`)}`],
    ['with a colon that is escaped', () => `Basic ${encoded(`${mine.clientId}%3A${mine.clientSecret}`)}`],
    ['without base64', () => `Basic ${mine.clientId}:${mine.clientSecret}`],
    ['with an empty header', () => ''],
    ['with a scheme alone', () => 'Basic'],
    ['with no scheme', () => right().replace('Basic ', '')],
    ['by another scheme', () => right().replace('Basic', 'Bearer')],
    ['by a scheme that begins alike', () => right().replace('Basic', 'BasicX')],
    ['by Digest', () => `Digest username="${mine.clientId}"`],
    ['by two headers in one', () => `${right()}, ${right()}`],
    ['public, with an empty secret', () => basic(native.clientId, '')],
    ['public, with a secret', () => basic(native.clientId, mine.clientSecret)],
  ]
  const swapped = (text: string) =>
    text.replace(/[a-z]/gi, (char) => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase()))

  test.each(headers)('%s, at every endpoint', async (_what, authorization) => {
    for (const path of paths) {
      expectOAuthError(
        await post(path, authorization(), { token: 'x', grant_type: 'refresh_token' }),
        401,
        'invalid_client',
      )
    }
  })

  const bodies: [string, () => Record<string, string>][] = [
    ['that says nothing', () => ({})],
    ['that is confidential and only names itself', () => ({ client_id: mine.clientId })],
    ['that is unknown', () => ({ client_id: unknown })],
    ['that is no GUID', () => ({ client_id: '*' })],
    ['with an empty id', () => ({ client_id: '' })],
    ['that names itself with NUL', () => ({ client_id: `${native.clientId}\u0000` })],
    ['with its secret among the parameters', () => ({ client_id: mine.clientId, client_secret: mine.clientSecret })],
    ['that is public and gives a secret', () => ({ client_id: native.clientId, client_secret: 'secret' })],
    [
      'that asserts who it is',
      () => ({
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: 'a.b.c',
      }),
    ],
  ]

  test.each(bodies)('%s, at every endpoint', async (_what, members) => {
    for (const path of paths) {
      expectOAuthError(
        await post(path, null, { ...members(), token: 'x', grant_type: 'refresh_token' }),
        401,
        'invalid_client',
      )
    }
  })

  test('that uses two ways at once, however right each is', async () => {
    const twice = { client_id: mine.clientId, client_secret: mine.clientSecret }
    expectOAuthError(await ask(right(), twice), 401, 'invalid_client')
    expectOAuthError(await ask(right(), { client_secret: mine.clientSecret }), 401, 'invalid_client')
    expectOAuthError(await ask(basic(mine.clientId, 'wrong'), { client_id: native.clientId }), 400, 'invalid_request')
  })

  test('in the same words, whether it is unknown or only its secret is wrong', async () => {
    const attempts = [basic(unknown, 'wrong'), basic(mine.clientId, 'wrong'), basic(native.clientId, 'wrong')]
    const replies = await Promise.all(attempts.map((authorization) => ask(authorization)))
    const told = replies.map(({ text, headers: answered }) => [
      text,
      answered.get('problem-code'),
      answered.get('www-authenticate'),
    ])
    expect(told.slice(1)).toEqual([told[0], told[0]])
  })

  test('before anything else that it asks is looked at', async () => {
    expectOAuthError(await post('/oauth/token', basic(mine.clientId, 'wrong'), {}), 401, 'invalid_client')
    expectOAuthError(await post('/oauth/token', null, { grant_type: 'password' }), 401, 'invalid_client')
  })

  test('with the secret that was replaced, from the answer on, and not with the new one', async () => {
    const owner = await api.user()
    const application = await makeApplication(api, owner)
    const before = basic(application.clientId, application.clientSecret ?? '')
    expectOAuthError(await ask(before), 400, 'invalid_grant')
    const rotated = await api.post(`/oauth/applications/${application.clientId}/secret`, owner)
    expectOAuthError(await ask(before), 401, 'invalid_client')
    expectOAuthError(await ask(basic(application.clientId, rotated.body.clientSecret)), 400, 'invalid_grant')
  })
})

describe('RFC 6749 §3.2.1: a public client only names itself', () => {
  test('and is heard', async () => {
    expectOAuthError(await ask(null, { client_id: native.clientId }), 400, 'invalid_grant')
    expectOAuthError(await ask(null, { client_id: native.clientId.toUpperCase() }), 400, 'invalid_grant')
  })

  test('a secret without a value is none', async () => {
    expectOAuthError(await ask(null, { client_id: native.clientId, client_secret: '' }), 400, 'invalid_grant')
  })
})

describe('RFC 6749 §3.2: the token endpoint', () => {
  let party: Party
  let token: string
  beforeAll(async () => {
    party = await makeParty(api)
    token = (await obtain(party)).refresh_token
  })
  const known = () => basic(party.application.clientId, party.application.clientSecret ?? '')
  const form = 'application/x-www-form-urlencoded'
  const send = (path: string, raw: string | Uint8Array, type: string | null = form) =>
    api.call('POST', path, {
      headers: { authorization: known(), ...(type === null ? {} : { 'content-type': type }) },
      raw,
    })
  const members = () => ({ grant_type: 'refresh_token', refresh_token: token })
  const good = () => new URLSearchParams(members()).toString()

  test('reads nothing from its address', async () => {
    const { clientId } = native
    expectOAuthError(await send(`/oauth/token?${good()}`, ''), 400, 'invalid_request')
    expectOAuthError(
      await send(`/oauth/token?refresh_token=${token}`, 'grant_type=refresh_token'),
      400,
      'invalid_request',
    )
    expectOAuthError(
      await send('/oauth/token?grant_type=refresh_token', `refresh_token=${token}`),
      400,
      'invalid_request',
    )
    expectOAuthError(await send(`/oauth/revoke?token=${token}`, ''), 400, 'invalid_request')
    expectOAuthError(await send(`/oauth/introspect?token=${token}`, ''), 400, 'invalid_request')
    expectOAuthError(await post(`/oauth/token?client_id=${clientId}`, null, members()), 401, 'invalid_client')
    const code = 'grant_type=authorization_code&redirect_uri=https://client.example/callback'
    expectOAuthError(await send('/oauth/token?code=x', code), 400, 'invalid_request')
  })

  test('is not confused by what stands in its address beside a form', async () => {
    const reply = await send('/oauth/token?grant_type=password&refresh_token=x&client_id=y&client_secret=z', good())
    expect(reply.status).toBe(200)
    token = reply.body.refresh_token
  })

  test('takes a form alone', async () => {
    const types = [
      'application/json',
      'multipart/form-data; boundary=x',
      'text/plain',
      'application/x-www-form-urlencodedx',
      'nonsense',
    ]
    for (const type of types) {
      const raw = type === 'application/json' ? JSON.stringify(members()) : good()
      expectOAuthError(await send('/oauth/token', raw, type), 415, 'invalid_request')
    }
    expectOAuthError(await send('/oauth/token', JSON.stringify(members())), 400, 'invalid_request')
  })

  test('takes a form whose type has parameters, or capitals', async () => {
    for (const type of [`${form}; charset=UTF-8`, form.toUpperCase()]) {
      const reply = await send('/oauth/token', good(), type)
      expect(reply.status).toBe(200)
      token = reply.body.refresh_token
    }
  })

  test.each([
    ['grant_type=refresh_token', 'the same again'],
    ['grant_type=authorization_code', 'another value'],
    ['refresh_token=x', 'another token'],
    ['scope=rest%3Aread&scope=rest%3Aread', 'what it need not have'],
    ['x=1&x=1', 'what it does not know'],
    ['__proto__=1&__proto__=1', 'what objects inherit'],
  ])('refuses parameters that come twice: %s', async (more) => {
    expectOAuthError(await send('/oauth/token', `${good()}&${more}`), 400, 'invalid_request')
    expectOAuthError(await send('/oauth/token', `${more}&${good()}`), 400, 'invalid_request')
  })

  test('refuses parameters that come twice from clients, too', async () => {
    const twice = `client_id=${native.clientId}&client_id=${native.clientId}&grant_type=refresh_token&refresh_token=x`
    const reply = await api.call('POST', '/oauth/token', { headers: { 'content-type': form }, raw: twice })
    expectOAuthError(reply, 400, 'invalid_request')
  })

  test('refuses overlong values, and bodies, and names', async () => {
    expectOAuthError(
      await send('/oauth/token', `grant_type=refresh_token&refresh_token=${'a'.repeat(8_193)}`),
      400,
      'invalid_request',
    )
    expectOAuthError(
      await send('/oauth/token', `${good()}&${'n'.repeat(9_000)}=${'v'.repeat(9_000)}`),
      400,
      'invalid_request',
    )
    expectOAuthError(await send('/oauth/token', `${good()}&x=${'a'.repeat(1024 * 1024)}`), 413, 'invalid_request')
  })

  test('reads as many parameters as a form may hold in a moment', async () => {
    const many = Array.from({ length: 4_000 }, (_, index) => `p${index}=`).join('&')
    expectOAuthError(
      await send('/oauth/token', `grant_type=refresh_token&refresh_token=x&${many}`),
      400,
      'invalid_grant',
    )
  })

  test('refuses what is not UTF-8', async () => {
    expectOAuthError(
      await send('/oauth/token', Buffer.from([...Buffer.from(good()), 0x26, 0xff])),
      400,
      'invalid_request',
    )
  })

  test('takes escapes that are none, control characters and broken pairs for a token that it does not know', async () => {
    for (const text of ['%zz', '%', '%00', '%0d%0a', '%ff', '%ed%a0%80', 'a%00b']) {
      expectOAuthError(
        await send('/oauth/token', `grant_type=refresh_token&refresh_token=${text}`),
        400,
        'invalid_grant',
      )
    }
  })

  test('knows three grants', async () => {
    const { body } = await api.get('//.well-known/oauth-authorization-server')
    expect(body.grant_types_supported).toEqual([
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
    ])
    expectOAuthError(await send('/oauth/token', ''), 400, 'invalid_request')
    expectOAuthError(await send('/oauth/token', 'grant_type='), 400, 'invalid_request')
    const others = [
      'password',
      'client_credentials',
      'implicit',
      'REFRESH_TOKEN',
      'refresh_token\u0000',
      'toString',
      '__proto__',
    ]
    for (const type of others) {
      const raw = new URLSearchParams({ ...members(), grant_type: type, username: 'a', password: 'b' }).toString()
      expectOAuthError(await send('/oauth/token', raw), 400, 'unsupported_grant_type')
    }
  })

  test.each(['text/html', 'application/problem+json', 'text/plain', '*/*'])(
    'answers JSON to whoever accepts %s',
    async (accept) => {
      const headers = { authorization: known(), 'content-type': form, accept }
      const raw = 'grant_type=refresh_token&refresh_token=x'
      expectOAuthError(await api.call('POST', '/oauth/token', { headers, raw }), 400, 'invalid_grant')
    },
  )

  test('is for POST alone', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await api.call(method, `/oauth/token?${good()}`, { headers: { authorization: known() } })
      expect(reply.status).toBe(404)
      expect(reply.text).not.toContain(token)
    }
  })

  test('after all of that, the token is as good as before', async () => {
    expect((await send('/oauth/token', good())).status).toBe(200)
  })
})

test('RFC 6749 §5.2: whoever asks too often is told in the same form, and when to come again', async () => {
  const allowances = { 'sign-in': { calls: 1, seconds: 60 } } as Allowances
  await using narrow = await startHarness({ rateLimits: true }, { allowances })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const call = () => narrow.call('POST', '/oauth/token', { headers, raw: `client_id=${unknown}` })
  expectOAuthError(await call(), 401, 'invalid_client')
  const reply = await call()
  expectOAuthError(reply, 429, 'temporarily_unavailable')
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
})
