import pLimit from 'p-limit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/app.ts'
import { type Operation, parametersOf } from '../../src/core/operation.ts'
import { type Caller, type Harness, startHarness } from '../harness.ts'
import { addressOf, makeWorld, type World } from '../world.ts'
import { exchange, openWire, type RawReply, requestText } from './raw.ts'
import { expectProperRefusal, outcome } from './refusal.ts'

/** Addresses, headers and methods from attackers: refused in the proper form, without harm. */

let api: Harness
let world: World
let owner: Caller
let victim: Caller
beforeAll(async () => {
  api = await startHarness()
  world = await makeWorld(api)
  owner = await api.user({ globalRoles: ['role:owner'] })
  victim = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

const path = (operation: Operation, address: string) =>
  operation.root ? address.replace(/^\/\//, '/') : `/api${address}`

describe('an identifier in an address', () => {
  const absurd = [
    'a'.repeat(10_000),
    '9'.repeat(23),
    '-1',
    'NaN',
    'null',
    '%00',
    'cup%00',
    '%zz',
    '%',
    '%c0%ae',
    '%ff',
    '..',
    '%2e%2e',
    '..%2f..%2fetc%2fpasswd',
    '__proto__',
    'constructor',
    'toString',
    '%E2%80%AE',
    '%F0%9F%98%80',
    '%C3%A9',
    '%20',
    '%0d%0aset-cookie:%20a=b',
    "'%20or%20'1'='1",
    '%25',
    '@you',
    '*',
    'a;b=c',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff%00',
    '{00000000-0000-4000-8000-000000000000}',
  ]
  const named = operations
    .filter(({ path: template }) => parametersOf(template).length > 0)
    .map((operation) => [operation.name, operation] as const)

  test.each(named)('may be anything without harm in %s', async (_name, operation) => {
    const headers = [`Authorization: Bearer ${owner.token}`, `Origin: ${api.app.config.publicUrl}`]
    const attempts = parametersOf(operation.path).flatMap((name) =>
      absurd.map((value) => addressOf({ ...operation, path: operation.path.replace(`:${name}`, value) }, world)),
    )
    const replies = await Promise.all(
      attempts.map((address) =>
        exchange(api.url, requestText(`${operation.method} ${path(operation, address)}`, headers)),
      ),
    )
    for (const [index, reply] of replies.entries()) {
      // An unreadable address reaches no operation.
      const form = outcome(reply)[1] === 'request.malformed' ? undefined : operation.errors
      expectProperRefusal(reply, (attempts[index] as string).slice(0, 80), form)
    }
  })

  test('answers as an unknown one however long it is', async () => {
    for (const [address, code] of [
      [`/tournaments/${'x'.repeat(10_000)}`, 'tournament.unknown'],
      [`/users/${'x'.repeat(10_000)}/card`, 'user.unknown'],
    ] as const) {
      expect(outcome(await api.get(address))).toEqual([404, code])
    }
  })
})

describe('a query', () => {
  const asking = operations
    .filter((operation) => operation.query !== undefined)
    .map((operation) => [operation.name, operation, Object.keys(operation.query?.properties ?? {})] as const)
  const ask = (operation: Operation, query: string, within = world) =>
    exchange(
      api.url,
      requestText(`${operation.method} ${path(operation, addressOf(operation, within))}?${query}`, [
        // Only the player may use this operation.
        `Authorization: Bearer ${operation.name === 'live.finish' ? within.member.token : owner.token}`,
      ]),
    )

  test.each(asking)('may be anything without harm in %s', async (_name, operation, names) => {
    const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const values = [
      '',
      'x'.repeat(10_000),
      '%00',
      '%zz',
      '%ff',
      '%E2%80%AE',
      '%0d%0aa:b',
      '-1',
      '1e9',
      '0x10',
      'Infinity',
      '99999999999999999999',
      '[]',
      '{}',
      '__proto__',
      '%25',
      '_',
      "'",
      '%5c',
      ...[null, {}, [], ['users'], ['users', '\u0000', '\u0000'], ['tournaments', 1e308, 'x', null]].map(cursor),
    ]
    const queries = [
      ...[...names, '__proto__', 'constructor'].flatMap((name) => values.map((value) => `${name}=${value}`)),
      ...names.map((name) => `${name}=1&${name}=2`),
      ...names.map((name) => `${name}[]=1&${name}[a]=2`),
      '&&&===',
      '?'.repeat(100),
      'a=b&'.repeat(2_000),
    ]
    // What is made two at a time is refused where too many ask for it at once.
    const inLine = pLimit('service.busy' in (operation.problems ?? {}) ? 2 : queries.length)
    const replies = await inLine.map(queries, (query) => ask(operation, query))
    const failed = replies.flatMap((reply, index) =>
      reply === null || reply.status >= 500 ? [queries[index]?.slice(0, 80)] : [],
    )
    expect(failed).toEqual([])
  })

  // In the other world, accepted commands have deleted some of the records of the addresses.
  let untouched: World
  beforeAll(async () => {
    untouched = await makeWorld(api)
  })

  test.each(asking)(
    'is invalid with control characters, reversed text or a name twice in %s',
    async (_name, operation, names) => {
      const bad = names.flatMap((name) => [`${name}=%00`, `${name}=a%1bb`, `${name}=%E2%80%AE`, `${name}=1&${name}=1`])
      for (const query of bad) {
        expect(outcome(await ask(operation, query, untouched)), query).toEqual([400, 'request.invalid'])
      }
    },
  )
})

describe('a header', () => {
  const card = () => `GET /api/users/${victim.guid}/card`

  test('that is too long, or too many of them, are 431 and the end of the connection', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `X-Header-${index}: ${'x'.repeat(20)}`)
    for (const headers of [[`X-Long: ${'x'.repeat(20_000)}`], many, [`X-Long: ${'x'.repeat(5_000_000)}`]]) {
      using wire = await openWire(api.url)
      wire.send(requestText(card(), headers))
      const reply = await wire.next()
      expect(outcome(reply)).toEqual([431, 'request.headers_too_large'])
      expectProperRefusal(reply, 'too long')
      await wire.closed
    }
  })

  test('of 10,000 characters in an address is read, and one of 20,000 is too long', async () => {
    const long = (length: number) => exchange(api.url, requestText(`GET /api/users?q=${'x'.repeat(length)}`))
    expect((await long(10_000))?.status).toBe(400)
    expect((await long(20_000))?.status).toBe(431)
  })

  const broken: [string, string][] = [
    ['a line without a colon', 'nonsense'],
    ['a space before the colon', 'X-A : b'],
    ['a folded line', 'X-A: b\r\n c: d'],
    ['a control character', 'X-A: \u0001'],
    ['NUL', 'X-A: a\u0000b'],
    ['two lengths', 'Content-Length: 1\r\nContent-Length: 2'],
    ['a length that is no number', 'Content-Length: 1e1'],
    ['a negative length', 'Content-Length: -1'],
    ['a length and chunks, so that two readers could differ', 'Content-Length: 5\r\nTransfer-Encoding: chunked'],
    ['an unknown transfer coding', 'Transfer-Encoding: gzip'],
    ['chunked before another coding', 'Transfer-Encoding: chunked, gzip'],
  ]
  test.each(broken)('with %s is malformed, and ends the connection', async (_what, header) => {
    using wire = await openWire(api.url)
    wire.send(requestText(card().replace('GET', 'POST'), [header], '0\r\n\r\n'))
    const reply = await wire.next()
    expect(outcome(reply)).toEqual([400, 'request.malformed'])
    expectProperRefusal(reply, header)
    await wire.closed
  })

  test.each([
    'GET /api/users HTTP/9.9\r\nHost: x\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n',
  ])('comes never, because the request line %j is malformed', async (request) => {
    const reply = await exchange(api.url, request)
    expect(outcome(reply)).toEqual([400, 'request.malformed'])
    expectProperRefusal(reply, request)
  })

  test('that says where the request goes is needed, but for HTTP/1.0', async () => {
    for (const address of ['/api/users', `/api/users/${victim.guid}/card`, '/api/no/such/thing', '/healthz', '/%zz']) {
      for (const method of ['GET', 'POST']) {
        const reply = await exchange(api.url, `${method} ${address} HTTP/1.1\r\n\r\n`)
        expect(outcome(reply), address).toEqual([400, 'request.malformed'])
        expectProperRefusal(reply, address)
      }
      const old = await exchange(api.url, `GET ${address} HTTP/1.0\r\n\r\n`)
      expect(old?.headers.get('problem-code'), address).not.toBe(address === '/%zz' ? undefined : 'request.malformed')
    }
  })

  test('that expects what nobody here does is refused, and one that waits to be let on is let on', async () => {
    const address = `/api/users/${victim.guid}/card`
    for (const expectation of ['200-maybe', 'nonsense', '100-continue, other', '']) {
      for (const line of [`GET ${address}`, 'POST /api/updateUserSettings', 'GET /api/no/such/thing']) {
        const reply = await exchange(api.url, requestText(line, [`Expect: ${expectation}`]))
        expect(outcome(reply), expectation).toEqual([417, 'request.expectation'])
        expectProperRefusal(reply, expectation)
      }
    }
    for (const expectation of ['100-continue', '100-Continue']) {
      const reply = await exchange(api.url, requestText(`GET ${address}`, [`Expect: ${expectation}`]))
      expect(reply?.status).toBe(200)
    }
  })

  test('is reflected nowhere: no request can write headers or lines of the answer', async () => {
    const injected = '%0d%0aX-Injected:%20yes'
    const attempts = [
      requestText(`GET /api/users/${injected}/card`),
      requestText(`GET /api/${injected}`),
      requestText(`GET /${injected}`),
      requestText(`GET /api/docs/..${injected}`),
      requestText(`GET /api/docs${injected}`),
      requestText(`GET /api/auth/chat?return_to=/${injected}`),
      requestText(`GET /api/auth/chat?return_to=/a${injected.toUpperCase()}`),
      requestText(`GET /api/tournaments?before=${injected}`),
      requestText('GET /api/users/1/card', ['Request-Id: mine', 'X-Request-Id: mine', 'Origin: https://a.example']),
      requestText('GET /api/users/1/card', ['Accept: text/html;q=1, <script>', 'Accept-Language: <b>']),
    ]
    for (const attempt of attempts) {
      const reply = await exchange(api.url, attempt)
      expect(reply?.status, attempt).toBeLessThan(500)
      expect([...(reply?.headers.keys() ?? [])], attempt).not.toContain('x-injected')
      for (const [name, value] of reply?.headers ?? []) {
        expect(`${name}: ${value}`, attempt).not.toMatch(/X-Injected: yes|^request-id: mine|a\.example|<script>/i)
      }
    }
  })

  const signedAs = (header: string) => `Bearer ${Buffer.from(header).toString('base64url')}.e30.AAAA`
  const credentials: [string, string][] = [
    ['no token', 'Bearer'],
    ['a password', 'Basic dTpw'],
    ['dots', 'Bearer a.b.c'],
    ['9,000 characters', `Bearer ${'a'.repeat(9_000)}`],
    ['bytes beyond ASCII', 'Bearer \u00ff\u00ff'],
    ['two tokens', 'Bearer a, Bearer b'],
    ['a key that is a path', signedAs('{"alg":"RS256","kid":"../seal"}')],
    ['a key that is a prototype', signedAs('{"alg":"HS256","kid":"__proto__"}')],
  ]
  test.each(credentials)('Authorization with %s is no good token, and no harm', async (_what, authorization) => {
    const headers = [`Authorization: ${authorization}`]
    const refused = await exchange(api.url, requestText('GET /api/users/@me', headers))
    expect(outcome(refused)).toEqual([401, 'token.invalid'])
    const anonymous = await exchange(api.url, requestText(card(), headers))
    expect(anonymous?.status).toBe(200)
  })

  const cookies: [string, string][] = [
    ['NUL', 'downbeat_session=%00'],
    ['10,000 characters', `downbeat_session=${'a'.repeat(10_000)}`],
    ['a name twice', 'downbeat_session=%zz; downbeat_session=x'],
    ['names of every object', '__proto__=x; constructor=y; downbeat_session='],
    ['punctuation', '=;;;=; , \u00ff'],
    ['thousands of names', `a=${'b;'.repeat(5_000)}`],
  ]
  test.each(cookies)('Cookie with %s signs nobody in, and does no harm', async (_what, cookie) => {
    const headers = [`Cookie: ${cookie}`, `Origin: ${api.app.config.publicUrl}`]
    const reply = await exchange(api.url, requestText('POST /api/auth/token', headers))
    expect(outcome(reply)).toEqual([401, 'token.missing'])
  })
})

describe('a method', () => {
  test('HEAD answers with the headers of GET and no body', async () => {
    for (const address of [
      `/api/users/${victim.guid}/card`,
      `/api/tournaments/${world.tournament.guid}`,
      '/api/users',
      '/api/openapi.json',
      '/healthz',
    ]) {
      const [get, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => exchange(api.url, requestText(`${method} ${address}`), method)),
      )
      expect([head?.status, head?.text], address).toEqual([200, ''])
      const lasting = (reply: RawReply | null | undefined) =>
        [...(reply?.headers ?? [])].filter(([name]) => !['date', 'request-id', 'server-timing'].includes(name)).sort()
      expect(lasting(head), address).toEqual(lasting(get))
    }
  })

  test('that nothing answers to finds nothing', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'MKCOL', 'PURGE', 'LINK', 'M-SEARCH']) {
      const reply = await exchange(
        api.url,
        requestText(`${method} /api/users/${victim.guid}/card`, ['Content-Length: 0']),
      )
      expect(outcome(reply), method).toEqual([404, 'route.unknown'])
      expectProperRefusal(reply, method)
    }
  })

  test('CONNECT leads nowhere', async () => {
    using wire = await openWire(api.url)
    wire.send('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n')
    await wire.closed
  })

  test('with an offer to change the protocol is answered in this one', async () => {
    const reply = await exchange(
      api.url,
      requestText(`GET /api/users/${victim.guid}/card`, [
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
      ]),
    )
    expect(reply?.status).toBe(200)
  })
})

describe('a condition', () => {
  const weird: [string, number][] = [
    ['"', 200],
    ['""', 200],
    ['W/', 200],
    ['W/""', 200],
    ['abc', 200],
    [',,,,', 200],
    ['"a","b', 200],
    ['*, "a"', 200],
    ['*', 304],
    [' * ', 304],
  ]
  test.each([
    ...weird.map(([condition, status]) => [condition, condition, status] as const),
    ['of nothing', '', 200],
    ['of one long tag', `"${'x'.repeat(8_000)}"`, 200],
    ['of many tags', `${'"a",'.repeat(3_000)}"b"`, 200],
  ] as const)('%s on the entity tag is answered properly', async (_what, condition, status) => {
    for (const address of [`/api/users/${victim.guid}/card`, `/api/tournaments/${world.tournament.guid}`]) {
      const reply = await exchange(api.url, requestText(`GET ${address}`, [`If-None-Match: ${condition}`]))
      expect(reply?.status, address).toBe(status)
    }
  })
})

test('a failure of ours is told in the form that was asked for, and shows nothing of what went wrong', async () => {
  await using broken = await startHarness()
  const user = await broken.user()
  const card = `/users/${user.guid}/card`
  await broken.sql('alter table users rename to users_that_are_gone')
  const replies = await Promise.all([
    broken.get(card),
    broken.get(card, null, { accept: 'application/json' }),
    broken.get(card, null, { accept: 'application/problem+json' }),
    broken.post('/updateUserSettings', user, { grip: 'claw' }),
  ])
  for (const reply of replies) {
    expect(outcome(reply)).toEqual([500, 'service.failed'])
    expect(reply.text).toContain(reply.headers.get('request-id'))
    expect(`${reply.text}${JSON.stringify([...reply.headers])}`).not.toMatch(
      /gone|relation|select|update|users"|stack|\.ts/i,
    )
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
  }
  expect(replies.map(({ headers }) => headers.get('content-type')?.split(';')[0])).toEqual([
    'text/plain',
    'application/json',
    'application/problem+json',
    'text/plain',
  ])
})
