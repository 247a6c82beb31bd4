import { describe, expect, test } from 'vitest'
import type { Overrides } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import { type Harness, outcome, type Reply, startHarness } from '../harness.ts'
import { makeApplication } from '../make.ts'
import { exchange, requestText } from './raw.ts'

/** Rate limits: how many calls, for which caller, and the headers that report them. (D13) */

const day = 86_400
const allowances = {
  read: { calls: 5, seconds: day },
  write: { calls: 3, seconds: day },
  'sign-in': { calls: 2, seconds: day },
  upload: { calls: 1, seconds: day },
}
const limited = (config: Partial<Config> = {}, limits: Overrides = { allowances }) =>
  startHarness({ rateLimits: true, ...config }, limits)

const names = ['ratelimit-policy', 'ratelimit', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
const remaining = ({ headers }: Reply) => Number(headers.get('x-ratelimit-remaining'))
const refused = [429, 'request.limited']

test('a budget counts down to nothing, and then says when to come back', async () => {
  await using api = await limited({}, { allowances: { ...allowances, read: { calls: 3, seconds: 2 } } })
  const startedAt = performance.now()
  for (const left of [2, 1, 0]) {
    const { status, headers } = await api.get('/tournaments')
    expect(status).toBe(200)
    const reset = headers.get('x-ratelimit-reset')
    expect(['1', '2']).toContain(reset)
    expect(names.map((name) => headers.get(name))).toEqual([
      '"read";q=3;w=2',
      `"read";r=${left};t=${reset}`,
      '3',
      String(left),
      reset,
    ])
    expect(headers.get('retry-after')).toBeNull()
  }
  for (const [accept, type] of [
    ['*/*', 'text/plain; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/problem+json', 'application/problem+json; charset=utf-8'],
  ] as const) {
    const reply = await api.get('/tournaments', null, { accept })
    expect(outcome(reply)).toEqual(refused)
    expect(reply.headers.get('content-type')).toBe(type)
    expect(['1', '2']).toContain(reply.headers.get('retry-after'))
    expect(reply.headers.get('ratelimit')).toMatch(/^"read";r=0;t=[12]$/)
    expect(reply.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
  }
  await expect.poll(async () => (await api.get('/tournaments')).status, { interval: 200 }).toBe(200)
  expect(performance.now() - startedAt).toBeGreaterThan(1_500)
})

test('every answer tells where its caller stands', async () => {
  await using api = await limited({}, {})
  const user = await api.user()
  const card = `/users/${user.guid}/card`
  const etag = (await api.get(card)).headers.get('etag') ?? ''
  const replies = await Promise.all([
    api.get(card),
    api.get(card, null, { 'if-none-match': etag }),
    api.call('HEAD', card),
    api.get('/users/1/card'),
    api.get('/users/@me'),
    api.get('/users/@me', user),
    api.get('/users?limit=0'),
    api.get('/no/such/thing'),
    api.get('/users/%zz/card'),
    api.get('/openapi.json'),
    api.get('/docs/'),
    api.call('OPTIONS', '/users'),
    api.call('DELETE', '/users'),
    api.post('/updateUserSettings', user, {}),
    api.post('/updateUserSettings', null, {}),
    api.call('POST', '/updateUserSettings', { as: user, raw: '{', headers: { 'content-type': 'a/b' } }),
    api.call('GET', '/auth/chat'),
    api.call('GET', '//.well-known/jwks.json'),
  ])
  for (const reply of replies) {
    for (const name of names) expect(reply.headers.get(name), `${name} of a ${reply.status}`).toMatch(/^("|\d)/)
  }
  const policies = new Set(replies.map(({ headers }) => headers.get('ratelimit-policy')))
  expect(policies).toEqual(new Set(['"read";q=6000;w=60', '"write";q=1200;w=60', '"sign-in";q=300;w=60']))
})

test('without limits the whole budget is always there', async () => {
  await using api = await startHarness({ rateLimits: false }, { allowances })
  for (let call = 0; call < 20; call++) {
    const reply = await api.get('/tournaments')
    expect([reply.status, remaining(reply)]).toEqual([200, 6_000])
  }
})

test('reads, writes and sign-ins have budgets of their own', async () => {
  await using api = await limited()
  const user = await api.user()
  const read = () => api.get('/users/@me', user)
  const write = () => api.post('/updateUserSettings', user, { grip: 'claw' })
  const signIn = () => api.call('GET', '/auth/chat', { as: user })
  const statuses = async (call: () => Promise<Reply>, times: number) => {
    const seen: number[] = []
    for (let time = 0; time < times; time++) seen.push((await call()).status)
    return seen
  }
  expect(await statuses(read, 6)).toEqual([200, 200, 200, 200, 200, 429])
  expect(await statuses(write, 4)).toEqual([200, 200, 200, 429])
  expect(await statuses(signIn, 3)).toEqual([302, 302, 429])
})

test('a call beyond the budget does nothing, whatever else is wrong with it', async () => {
  await using api = await limited()
  const user = await api.user()
  const save = (grip: string) => api.post('/updateUserSettings', user, { grip })
  for (const grip of ['a', 'b', 'c']) await save(grip)
  expect(outcome(await save('d'))).toEqual(refused)
  expect(outcome(await api.post('/updateUserSettings', user, { grip: 1 }))).toEqual(refused)
  expect(await api.sql('select grip from users where guid = $1', [user.guid])).toEqual([{ grip: 'c' }])
})

test('of many calls at once exactly the allowed number is served, answers from memory among them', async () => {
  await using api = await limited({}, { allowances: { ...allowances, read: { calls: 40, seconds: day } } })
  const user = await api.user()
  const card = `/users/${user.guid}/card`
  const first = await api.get(card)
  expect(remaining(first)).toBe(39)
  const replies = await Promise.all(Array.from({ length: 100 }, (_, index) => api.get(index % 2 ? card : '/users')))
  const served = replies.filter(({ status }) => status === 200)
  expect(served).toHaveLength(39)
  expect(new Set(served.map(remaining)).size).toBe(39)
  for (const reply of replies) if (reply.status !== 200) expect(outcome(reply)).toEqual(refused)
})

describe('a budget belongs', () => {
  test('to a user and an application, not to the address that they share', async () => {
    await using api = await limited()
    const [anna, ben] = await Promise.all([api.user(), api.user()])
    const again = await api.token(anna, ['rest:read'])
    const [overlay, bot] = await Promise.all([
      api.token(anna, ['rest:read'], await makeApplication(api, ben)),
      api.token(anna, ['rest:read'], await makeApplication(api, ben)),
    ])
    const left = async (token: string | null) => remaining(await api.call('GET', '/tournaments', { token }))
    expect([await left(anna.token), await left(again), await left(anna.token)]).toEqual([4, 3, 2])
    expect([await left(overlay), await left(overlay)]).toEqual([4, 3])
    expect(await left(bot)).toBe(4)
    expect(await left(ben.token)).toBe(4)
    expect(await left(null)).toBe(4)
  })

  test('to the address, where a token says nothing', async () => {
    await using api = await limited()
    const tokens = [null, 'nonsense', 'a.b.c', `${'x'.repeat(500)}`, null]
    const seen: number[] = []
    for (const token of tokens) seen.push(remaining(await api.call('GET', '/tournaments', { token })))
    expect(seen).toEqual([4, 3, 2, 1, 0])
    expect(outcome(await api.call('GET', '/users/@me', { token: 'another' }))).toEqual(refused)
    expect(outcome(await api.get('/no/such/thing'))).toEqual(refused)
    expect(outcome(await api.get('/users/%zz'))).toEqual(refused)
    expect(outcome(await api.get('/openapi.json'))).toEqual(refused)
  })

  test('to the address on the routes of those who run the service too', async () => {
    await using api = await limited()
    const paths = ['//healthz', '//readyz', '//metrics']
    const seen: number[] = []
    for (const path of [...paths, ...paths.slice(1)]) seen.push(remaining(await api.call('GET', path)))
    expect(seen).toEqual([4, 3, 2, 1, 0])
    for (const path of paths) expect(outcome(await api.call('GET', path))).toEqual(refused)
    expect(outcome(await api.get('/tournaments'))).toEqual(refused)
  })
})

describe('the address', () => {
  const left = async (api: Harness, headers: Record<string, string>) => {
    const reply = await api.get('/tournaments', null, headers)
    return reply.status === 429 ? 'refused' : remaining(reply)
  }
  const from = (forwarded: string) => ({ 'x-forwarded-for': forwarded })

  test('that a caller gives themselves counts for nothing', async () => {
    await using api = await limited()
    const user = await api.user()
    const seen = [
      await left(api, from('203.0.113.1')),
      await left(api, from('203.0.113.2, 198.51.100.7')),
      await left(api, { forwarded: 'for=203.0.113.3', 'x-real-ip': '203.0.113.3', 'true-client-ip': '203.0.113.3' }),
      await left(api, from('127.0.0.1')),
      await left(api, { 'x-forwarded-host': 'elsewhere', 'x-forwarded-proto': 'https', via: '1.1 proxy' }),
      await left(api, from('203.0.113.6')),
    ]
    expect(seen).toEqual([4, 3, 2, 1, 0, 'refused'])
    // Cached responses count too.
    const card = `/users/${user.guid}/card`
    expect(outcome(await api.get(card, null, from('203.0.113.8')))).toEqual(refused)
  })

  test('that a trusted proxy gives counts, and no other one that stands before it', async () => {
    await using api = await limited({ trustedProxies: ['127.0.0.1/32', '10.0.0.0/8', '::1'] })
    expect([await left(api, from('203.0.113.1')), await left(api, from('203.0.113.1'))]).toEqual([4, 3])
    expect(await left(api, from('203.0.113.2'))).toBe(4)
    // The first address is forged by the caller; the proxy appended the real one.
    expect(await left(api, from('198.51.100.9, 203.0.113.1'))).toBe(2)
    expect(await left(api, from('203.0.113.2, 203.0.113.1'))).toBe(1)
    expect(await left(api, from('10.9.9.9, 203.0.113.1'))).toBe(0)
    // Through two of our own proxies.
    expect(await left(api, from('203.0.113.1, 10.0.0.5'))).toBe('refused')
    expect(await left(api, from('203.0.113.1, 10.0.0.5, 10.1.2.3'))).toBe('refused')
    expect(await left(api, from('2001:db8::1'))).toBe(4)
    // Calls from the proxy itself.
    expect([await left(api, {}), await left(api, {})]).toEqual([4, 3])
  })

  test('may be nonsense without harm, and is one caller then', async () => {
    await using api = await limited({ trustedProxies: ['127.0.0.1'] })
    for (const nonsense of [
      'nonsense',
      ',,,',
      '999.1.1.1',
      '203.0.113.1:80',
      '[2001:db8::1]',
      '"><script>',
      'unknown',
      ' ',
    ]) {
      const reply = await api.get('/tournaments', null, from(nonsense))
      expect([nonsense, reply.status]).toEqual([nonsense, 200])
    }
    expect((await api.get('/tournaments', null, from('1.1.1.1,'.repeat(1_000)))).status).toBe(200)
  })

  test('of IPv6 is one caller with all others of its network, and one of IPv4 in its form is that of IPv4', async () => {
    await using api = await limited({ trustedProxies: ['127.0.0.1'] })
    const seen: (number | 'refused')[] = []
    for (const address of ['2001:db8:7:1::1', '2001:db8:7:1:ffff:ffff:ffff:ffff', '2001:DB8:7:1:0:0:0:9']) {
      seen.push(await left(api, from(address)))
    }
    expect(seen).toEqual([4, 3, 2])
    expect(await left(api, from('2001:db8:7:2::1'))).toBe(4)
    expect(await left(api, from('2001:db8:7::1'))).toBe(4)
    expect([await left(api, from('203.0.113.9')), await left(api, from('::ffff:203.0.113.9'))]).toEqual([4, 3])
    expect(await left(api, from('203.0.113.8'))).toBe(4)
  })

  test('that the connection has is counted alike, whether an answer is remembered or made', async () => {
    await using api = await limited({ host: '::' })
    const user = await api.user()
    const { port } = new URL(api.url)
    const card = requestText(`GET /api/users/${user.guid}/card`)
    const seen: (string | undefined)[] = []
    // The loopback address of IPv4, which a dual-stack socket shows in the form of IPv6.
    for (let call = 0; call < 5; call++) {
      const reply = await exchange(`http://127.0.0.1:${port}`, card)
      seen.push(reply?.headers.get('x-ratelimit-remaining'))
    }
    expect(seen).toEqual(['4', '3', '2', '1', '0'])
    expect((await exchange(`http://127.0.0.1:${port}`, card))?.status).toBe(429)
  })

  test('stands for its own budget in memory’s answers too, behind a proxy', async () => {
    await using api = await limited({ trustedProxies: ['127.0.0.1'] })
    const user = await api.user()
    const card = (address: string) => api.get(`/users/${user.guid}/card`, null, from(address))
    expect(remaining(await card('203.0.113.1'))).toBe(4)
    expect(remaining(await card('203.0.113.1'))).toBe(3)
    expect(remaining(await card('203.0.113.2'))).toBe(4)
    expect(remaining(await api.get(`/users/${user.guid}/card`))).toBe(4)
  })

  test('of a loopback caller opens the figures of the service, unless it was forwarded', async () => {
    for (const trustedProxies of [[], ['127.0.0.1']]) {
      await using api = await startHarness({ trustedProxies })
      expect((await api.call('GET', '//metrics')).status).toBe(200)
      for (const headers of [from('127.0.0.1'), from('203.0.113.1'), { forwarded: 'for=127.0.0.1' }, from('')]) {
        expect(outcome(await api.call('GET', '//metrics', { headers }))).toEqual([404, 'route.unknown'])
      }
      const unusual = await exchange(api.url, requestText('GET /metrics', ['X-FORWARDED-FOR:']))
      expect(unusual?.status).toBe(404)
    }
  })
})
