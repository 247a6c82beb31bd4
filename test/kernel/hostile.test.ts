import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/app.ts'
import { type Operation, parametersOf } from '../../src/core/operation.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../harness.ts'
import { addressOf, makeWorld, type World } from '../world.ts'
import { exchange, openWire, type RawReply, requestText } from './raw.ts'

/** What somebody who means harm, or whose client is broken, may send: refused in the proper form, without harm. */

let api: Harness
let world: World
/** One that may suffer. */
let abused: World
let owner: Caller
let victim: Caller
beforeAll(async () => {
  api = await startHarness()
  world = await makeWorld(api)
  abused = await makeWorld(api)
  owner = await api.user({ globalRoles: ['role:owner'] })
  victim = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

const path = (operation: Operation, address: string) =>
  operation.root ? address.replace(/^\/\//, '/') : `/api${address}`
const save = (raw: string | Uint8Array, headers: Record<string, string> = {}): Promise<Reply> =>
  api.call('POST', '/updateUserSettings', {
    as: victim,
    raw,
    headers: { 'content-type': 'application/json', ...headers },
  })
const outcome = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const rawOutcome = (reply: RawReply | null) => [reply?.status, reply?.headers.get('problem-code')]

/** The form that every refusal has, wherever it was decided. (D10) */
function expectProperRefusal(reply: RawReply | null, what: string): void {
  expect(reply, what).not.toBeNull()
  expect(reply?.status, what).toBeGreaterThanOrEqual(400)
  expect(reply?.status, what).toBeLessThan(500)
  expect(reply?.headers.get('problem-code'), what).toMatch(/^[a-z_]+\.[a-z_]+$/)
  expect(reply?.headers.get('request-id'), what).toMatch(/^[\w-]{10,}$/)
  expect(reply?.headers.get('content-type'), what).toBe('text/plain; charset=utf-8')
  expect(reply?.headers.get('x-content-type-options'), what).toBe('nosniff')
}

describe('a body', () => {
  const invalidUtf8 = Buffer.concat([Buffer.from('{"pronouns":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])
  const overlong = Buffer.concat([Buffer.from('{"pronouns":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')])
  const nested = (depth: number) => `{"pronouns":"x","z":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`
  const malformed: [string, string | Uint8Array][] = [
    ['that ends too early', '{"pronouns":"x"'],
    ['with something behind it', '{"pronouns":"x"} {}'],
    ['that is empty', ''],
    ['of white space alone', ' \n\t '],
    ['with single quotes', "{'pronouns':'x'}"],
    ['with a trailing comma', '{"pronouns":"x",}'],
    ['with NaN', '{"pronouns":NaN}'],
    ['with a raw control character in a string', '{"pronouns":"a\u0001b"}'],
    ['with bytes that are not UTF-8', invalidUtf8],
    ['with an overlong UTF-8 sequence', overlong],
    ['in UTF-16', Buffer.from('\ufeff{"pronouns":"x"}', 'utf16le')],
    ['of brackets alone', '['.repeat(500_000)],
  ]
  test.each(malformed)('%s is malformed', async (_what, raw) => {
    expect(outcome(await save(raw))).toEqual([400, 'request.malformed'])
  })

  const invalid: [string, string][] = [
    ['that is null', 'null'],
    ['that is an array', '[{"pronouns":"x"}]'],
    ['that is a text', '"pronouns"'],
    ['that is a number', '1'],
    ['with a number for a text', '{"pronouns":1}'],
    ['with null for a text', '{"pronouns":null}'],
    ['with an object for a text', '{"pronouns":{"toString":"x"}}'],
    ['with an array for a text', '{"pronouns":["x"]}'],
    ['with NUL in a text', '{"pronouns":"a\\u0000b"}'],
    ['with a control character in a text', '{"pronouns":"a\\u001bb"}'],
    ['with a C1 control character in a text', '{"pronouns":"a\\u009bb"}'],
    ['with a text that runs backwards', '{"pronouns":"a\\u202eb"}'],
    ['with an isolate in a text', '{"pronouns":"a\\u2066b"}'],
    ['with half a surrogate pair', '{"pronouns":"\\ud83d"}'],
    ['with NUL in a name', '{"a\\u0000":1,"pronouns":"x"}'],
    ['with NUL in a member that is ignored', '{"other":{"deep":["\\u0000"]},"pronouns":"x"}'],
    ['that sets its prototype', '{"__proto__":{"pronouns":"x"}}'],
    ['that sets a nested prototype', '{"pronouns":"x","other":{"__proto__":{"isAdmin":true}}}'],
    ['that reaches a prototype by its constructor', '{"constructor":{"prototype":{"isAdmin":true}},"pronouns":"x"}'],
    ['that is nested too deeply', nested(40)],
    ['with a number beyond a double', '{"pronouns":"x","other":1e999}'],
    ['with more values than any form has', `{"pronouns":"x","other":[${'1,'.repeat(50_000)}1]}`],
  ]
  test.each(invalid)('%s is invalid', async (_what, raw) => {
    expect(outcome(await save(raw))).toEqual([400, 'request.invalid'])
  })

  test('that was refused has changed nothing, neither the record nor any prototype', async () => {
    const card = await api.get(`/users/${victim.guid}/card`)
    expect(card.body.pronouns).toBeNull()
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
  })

  const types: [string | undefined][] = [
    [undefined],
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/json-patch+json'],
    ['application/jsonx'],
    ['application/xml'],
    ['json'],
    ['/'],
    ['application/json, text/plain'],
    ['; charset=utf-8'],
  ]
  test.each(types)('of the type %s is of an unsupported type', async (type) => {
    const body = '{"pronouns":"x"}'
    const headers = [`Authorization: Bearer ${victim.token}`, `Content-Length: ${body.length}`]
    const reply = await exchange(
      api.url,
      requestText(
        'POST /api/updateUserSettings',
        type === undefined ? headers : [...headers, `Content-Type: ${type}`],
        body,
      ),
    )
    expect(rawOutcome(reply)).toEqual([415, 'request.unsupported_type'])
    expectProperRefusal(reply, String(type))
  })

  test('of JSON may say its character set, in any case', async () => {
    const reply = await save('{"headset":"x"}', { 'content-type': 'Application/JSON; Charset="UTF-8"' })
    expect(reply.status).toBe(200)
  })

  test('of 10 MB is too large, with or without its length, and the connection is not used on', async () => {
    const bytes = 10 * 1024 * 1024
    const start = [`Authorization: Bearer ${victim.token}`, 'Content-Type: application/json']
    const line = 'POST /api/updateUserSettings'
    const long = requestText(line, [...start, `Content-Length: ${bytes}`], 'x'.repeat(bytes))
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const chunked = requestText(line, [...start, 'Transfer-Encoding: chunked'], chunk.repeat(bytes / 0x10000))
    for (const request of [long, chunked]) {
      using wire = await openWire(api.url)
      wire.send(request)
      const reply = await wire.next()
      expect(rawOutcome(reply)).toEqual([413, 'request.too_large'])
      expectProperRefusal(reply, 'too large')
      expect(reply?.headers.get('connection')).toBe('close')
      await wire.closed
    }
  })

  test('of 10 MB does nobody any good who may not act: they are told that instead', async () => {
    const reply = await api.call('POST', '/updateUserSettings', {
      raw: 'x'.repeat(10 * 1024 * 1024),
      headers: { 'content-type': 'application/json' },
    })
    expect(outcome(reply)).toEqual([400, 'token.missing'])
  })

  test('of exactly the largest size is read, and one byte more is not', async () => {
    const limit = 1024 * 1024
    const filled = (size: number) => `{"z":"${'x'.repeat(size - 8)}"}`
    expect(outcome(await save(filled(limit)))).toEqual([400, 'settings.none'])
    expect(outcome(await save(filled(limit + 1)))).toEqual([413, 'request.too_large'])
  })

  test('of a read is ignored, and what follows it is understood', async () => {
    using wire = await openWire(api.url)
    const card = `GET /api/users/${victim.guid}/card`
    wire.send(requestText(card, ['Content-Type: application/json', 'Content-Length: 12'], '{"a":"GET /"'))
    wire.send(requestText(card, ['Transfer-Encoding: chunked'], '3\r\nabc\r\n0\r\n\r\n'))
    wire.send(requestText('GET /api/no/such/thing'))
    const statuses = [await wire.next(), await wire.next(), await wire.next()].map((reply) => reply?.status)
    expect(statuses).toEqual([200, 200, 404])
  })
})

describe.each(
  operations
    .filter((operation) => operation.kind === 'command' && operation.body !== undefined)
    .map((operation) => [operation.name, operation] as const),
)('the body of %s', (_name, operation) => {
  const { properties = {} } = ((operation.kind === 'command' && operation.body) || {}) as { properties?: object }
  const send = (body: unknown) =>
    api.call(operation.method, addressOf(operation, abused), {
      as: owner,
      body,
      headers: { origin: api.app.config.publicUrl },
    })

  test('may hold anything without harm', async () => {
    const wrongs: unknown[] = [
      { a: { b: [] } },
      [[]],
      -1,
      1e300,
      true,
      '💥'.repeat(300),
      { toString: 1, valueOf: 1, toJSON: 1 },
    ]
    const bodies = Object.keys(properties).flatMap((name) => wrongs.map((wrong) => ({ [name]: wrong })))
    const replies = await Promise.all([[], null, 7, 'text', ...bodies].map(send))
    expect(replies.filter((reply) => reply.status >= 500).map((reply) => reply.text)).toEqual([])
  })

  test('may hold no NUL, wherever it stands', async () => {
    if (operation.scope === 'session' || (operation.kind === 'command' && operation.bodyType === 'form')) return
    const resolved = parametersOf(operation.path).every((name) => ['tournament', 'team', 'user'].includes(name))
    if (!resolved) return
    for (const name of [...Object.keys(properties), 'stranger']) {
      expect(outcome(await send({ [name]: 'a\u0000b' })), name).toEqual([400, 'request.invalid'])
    }
  })
})

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
    for (const [index, reply] of replies.entries()) expectProperRefusal(reply, (attempts[index] as string).slice(0, 80))
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
  const ask = (operation: Operation, query: string) =>
    exchange(
      api.url,
      requestText(`${operation.method} ${path(operation, addressOf(operation, world))}?${query}`, [
        `Authorization: Bearer ${owner.token}`,
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
    const replies = await Promise.all(queries.map((query) => ask(operation, query)))
    const failed = replies.flatMap((reply, index) =>
      reply === null || reply.status >= 500 ? [queries[index]?.slice(0, 80)] : [],
    )
    expect(failed).toEqual([])
  })

  test.each(asking)(
    'is invalid with control characters, reversed text or a name twice in %s',
    async (_name, operation, names) => {
      const bad = names.flatMap((name) => [`${name}=%00`, `${name}=a%1bb`, `${name}=%E2%80%AE`, `${name}=1&${name}=1`])
      for (const query of bad) expect(rawOutcome(await ask(operation, query)), query).toEqual([400, 'request.invalid'])
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
      expect(rawOutcome(reply)).toEqual([431, 'request.headers_too_large'])
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
    expect(rawOutcome(reply)).toEqual([400, 'request.malformed'])
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
    expect(rawOutcome(reply)).toEqual([400, 'request.malformed'])
    expectProperRefusal(reply, request)
  })

  test('that says where the request goes is needed', async () => {
    const reply = await exchange(api.url, 'GET /api/users HTTP/1.1\r\n\r\n')
    expect(reply?.status).toBe(400)
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
    expect(rawOutcome(refused)).toEqual([401, 'token.invalid'])
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
    expect(rawOutcome(reply)).toEqual([401, 'token.missing'])
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
        [...(reply?.headers ?? [])].filter(([name]) => !['date', 'request-id'].includes(name)).sort()
      expect(lasting(head), address).toEqual(lasting(get))
    }
  })

  test('that nothing answers to finds nothing', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'MKCOL', 'PURGE', 'LINK', 'M-SEARCH']) {
      const reply = await exchange(
        api.url,
        requestText(`${method} /api/users/${victim.guid}/card`, ['Content-Length: 0']),
      )
      expect(rawOutcome(reply), method).toEqual([404, 'route.unknown'])
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

describe('a connection', () => {
  const pace = { headersTimeout: 400, requestTimeout: 800, connectionsCheckingInterval: 50, keepAliveTimeout: 1_000 }

  /** Sends a byte now and then, for as long as the other side listens. */
  function drip(wire: Awaited<ReturnType<typeof openWire>>): NodeJS.Timeout {
    return setInterval(() => wire.send('x'), 100)
  }

  test('that sends headers or body drop by drop, or never, is ended within the limit, while others are served', async () => {
    await using slow = await startHarness({}, { connections: pace })
    const caller = await slow.user()
    const headers = [`Authorization: Bearer ${caller.token}`, 'Content-Type: application/json']
    const line = 'POST /api/updateUserSettings'
    const starts = [
      '',
      'POST /api/upd',
      `${line} HTTP/1.1\r\nHost: x\r\nX-Slow: `,
      requestText(line, [...headers, 'Content-Length: 1000'], '{"pronouns":"'),
      requestText(line, [...headers, 'Transfer-Encoding: chunked'], '400\r\n{"pronouns":"'),
      // A refusal that need not wait for the body must not wait for it either.
      requestText(line, ['Content-Type: application/json', 'Content-Length: 1000'], '{"pronouns":"'),
      requestText(line, [...headers, 'Content-Length: 1000'], ''),
    ]
    const startedAt = performance.now()
    const outcomes = starts.map(async (start, index) => {
      using wire = await openWire(slow.url)
      wire.send(start)
      const timer = index < 5 && index > 0 ? drip(wire) : undefined
      const reply = await wire.next()
      await wire.closed
      clearInterval(timer)
      return rawOutcome(reply)
    })
    const others = Promise.all(Array.from({ length: 20 }, () => slow.get(`/users/${caller.guid}/card`)))
    expect((await others).map((reply) => reply.status)).toEqual(Array(20).fill(200))
    const timeout = [408, 'request.timeout']
    expect(await Promise.all(outcomes)).toEqual([
      timeout,
      timeout,
      timeout,
      timeout,
      timeout,
      [400, 'token.missing'],
      timeout,
    ])
    expect(performance.now() - startedAt).toBeLessThan(8_000)
    expect((await slow.get(`/users/${caller.guid}/card`, null)).body.pronouns).toBeNull()
  })

  test('that asks for nothing more is ended when the time to do so is over', async () => {
    await using slow = await startHarness({}, { connections: { ...pace, keepAliveTimeout: 300 } })
    using wire = await openWire(slow.url)
    wire.send(requestText('GET /healthz'))
    expect((await wire.next())?.status).toBe(200)
    const answeredAt = performance.now()
    await wire.closed
    expect(performance.now() - answeredAt).toBeLessThan(5_000)
  })

  test('beyond the number that is allowed is closed at once, and one that ends makes room', async () => {
    await using small = await startHarness({}, { connections: { maxConnections: 3 } })
    const wires = await Promise.all(Array.from({ length: 3 }, () => openWire(small.url)))
    for (const wire of wires) {
      wire.send(requestText('GET /healthz'))
      expect((await wire.next())?.status).toBe(200)
    }
    using refused = await openWire(small.url)
    refused.send(requestText('GET /healthz'))
    expect(await refused.next()).toBeNull()
    wires[0]?.[Symbol.dispose]()
    await expect.poll(async () => (await exchange(small.url, requestText('GET /healthz')))?.status).toBe(200)
    for (const wire of wires) wire[Symbol.dispose]()
  })

  test('is one of many hundreds, and each is answered', async () => {
    const wires = await Promise.all(Array.from({ length: 600 }, () => openWire(api.url)))
    const replies = await Promise.all(
      wires.map(async (wire, index) => {
        wire.send(requestText(index % 2 ? `GET /api/users/${victim.guid}/card` : 'GET /api/users?limit=1'))
        return (await wire.next())?.status
      }),
    )
    for (const wire of wires) wire[Symbol.dispose]()
    expect(replies).toEqual(Array(600).fill(200))
  })

  test('may ask many things at once, and is answered in their order', async () => {
    using wire = await openWire(api.url)
    const asked = Array.from({ length: 60 }, (_, index) =>
      index % 3 === 0 ? 'users?limit=1' : index % 3 === 1 ? `users/${victim.guid}/card` : `users/${index}/card`,
    )
    wire.send(asked.map((address) => requestText(`GET /api/${address}`)).join(''))
    for (const address of asked) {
      const reply = await wire.next()
      if (address.startsWith('users?')) expect(JSON.parse(reply?.text ?? '')).toHaveProperty('nextCursor')
      else if (address.includes(victim.guid)) expect(JSON.parse(reply?.text ?? '').guid).toBe(victim.guid)
      else expect(rawOutcome(reply)).toEqual([404, 'user.unknown'])
    }
  })

  test('that goes away in the middle of a request or an answer takes nothing with it', async () => {
    const line = `GET /api/users/${victim.guid}/card`
    const body = requestText(
      'POST /api/updateUserSettings',
      [`Authorization: Bearer ${victim.token}`, 'Content-Type: application/json', 'Content-Length: 500'],
      '{"grip":"half',
    )
    for (const request of [requestText(line), requestText(line).repeat(50), body, 'GET /']) {
      const wires = await Promise.all(Array.from({ length: 20 }, () => openWire(api.url)))
      for (const wire of wires) {
        wire.send(request)
        wire.socket.resetAndDestroy()
      }
    }
    const reply = await api.get(`/users/${victim.guid}/card`)
    expect(reply.status).toBe(200)
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

test('300 bodies of 1 MB leave nothing behind in memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const held = async () => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return (heapUsed + external) / 1024 ** 2
  }
  const text = `{"z":"${'x'.repeat(1024 * 1024 - 8)}"}`
  const burst = async (calls: number) => {
    for (let sent = 0; sent < calls; sent += 10) await Promise.all(Array.from({ length: 10 }, () => save(text)))
  }
  await burst(20)
  const before = await held()
  await burst(300)
  expect((await held()) - before).toBeLessThan(40)
})
