import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/app.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../harness.ts'
import { memoryInUse } from '../memory.ts'
import { actorOf, addressOf, makeWorld, type World } from '../world.ts'
import { exchange, openWire, requestText, type Wire } from './raw.ts'
import { expectProperRefusal, outcome } from './refusal.ts'

/** Bodies from attackers and broken clients: refused in the proper form, without harm. */

let api: Harness
/** May be changed by the requests. */
let world: World
/** A world in which every request was refused. */
let untouched: World
let victim: Caller
beforeAll(async () => {
  api = await startHarness()
  world = await makeWorld(api, { registered: true })
  untouched = await makeWorld(api, { registered: true })
  victim = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

const save = (raw: string | Uint8Array, headers: Record<string, string> = {}): Promise<Reply> =>
  api.call('POST', '/updateUserSettings', {
    as: victim,
    raw,
    headers: { 'content-type': 'application/json', ...headers },
  })

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
    expect(outcome(reply)).toEqual([415, 'request.unsupported_type'])
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
      expect(outcome(reply)).toEqual([413, 'request.too_large'])
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
    .filter(
      (operation) => operation.kind === 'command' && operation.bodyType !== 'upload' && operation.body !== undefined,
    )
    .map((operation) => [operation.name, operation] as const),
)('the body of %s', (_name, operation) => {
  const { properties = {} } = ((operation.kind === 'command' && operation.body) || {}) as { properties?: object }
  const send = (body: unknown, within = world) =>
    api.call(operation.method, addressOf(operation, within), {
      as: actorOf(operation, within),
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
    const replies = await Promise.all([[], null, 7, 'text', ...bodies].map((body) => send(body)))
    expect(replies.filter((reply) => reply.status >= 500).map((reply) => reply.text)).toEqual([])
  })

  test('may hold no NUL, wherever it stands', async () => {
    for (const name of [...Object.keys(properties), 'stranger']) {
      expect(outcome(await send({ [name]: 'a\u0000b' }, untouched)), name).toEqual([400, 'request.invalid'])
    }
  })
})

describe('a form', () => {
  const forms = operations.filter(
    (operation) =>
      operation.kind === 'command' &&
      (operation.bodyType === 'form' || (operation.parameters !== undefined && operation.method !== 'GET')),
  )
  const type = ['Content-Type: application/x-www-form-urlencoded']
  const limit = 32 * 1024

  test('is what some operations take', () => {
    expect(forms.map(({ name }) => name)).toContain('oauth.token')
  })

  test.each(forms.map((operation) => [operation.name, operation] as const))(
    'of more than 32 kB is too large for %s, before it has arrived',
    async (_name, operation) => {
      const line = `${operation.method} ${operation.root ? '' : '/api'}${operation.path}`
      const form = `a=${'x'.repeat(limit)}`
      const chunk = `1000\r\n${'x'.repeat(0x1000)}\r\n`
      for (const request of [
        requestText(line, [...type, `Content-Length: ${limit + 1}`]),
        requestText(line, [...type, `Content-Length: ${form.length}`], form),
        requestText(line, [...type, 'Transfer-Encoding: chunked'], chunk.repeat(9)),
      ]) {
        using wire = await openWire(api.url)
        wire.send(request)
        const reply = await wire.next()
        expect(outcome(reply)).toEqual([413, 'request.too_large'])
        expectProperRefusal(reply, 'too large', operation.errors)
        await wire.closed
      }
      const fits = await exchange(
        api.url,
        requestText(line, [...type, `Content-Length: ${limit}`], form.slice(0, limit)),
      )
      expect(outcome(fits)[1]).not.toBe('request.too_large')
    },
  )
})

test('a body that nobody reads is not collected', async () => {
  const bytes = 3 * 1024 * 1024
  for (const line of ['POST /api/no/such/thing', 'POST /api/auth/logout', 'DELETE /api/users/@me']) {
    using wire = await openWire(api.url)
    wire.send(requestText(line, ['Content-Type: application/json', `Content-Length: ${bytes}`]))
    const reply = await wire.next()
    // Answered immediately, and not because of its size.
    expect(reply?.status).toBeGreaterThanOrEqual(400)
    expect(outcome(reply)[1]).not.toBe('request.too_large')
  }
})

describe('what all bodies hold together', () => {
  /** The limit for all bodies; one account may use two thirds of it. */
  const together = 256 * 1024
  const most = 100 * 1024
  let small: Harness
  let caller: Caller
  beforeAll(async () => {
    small = await startHarness({}, { bodyBytes: (3 * together) / 2 })
    caller = await small.user()
  })
  afterAll(() => small[Symbol.asyncDispose]())
  const held = async () => {
    const { text } = await small.call('GET', '//metrics')
    return Number(/^http_bodies_bytes (\d+)$/m.exec(text)?.[1])
  }
  const slow = async (sent: number, length: string, as = caller) => {
    const wire = await openWire(small.url)
    const headers = [`Authorization: Bearer ${as.token}`, 'Content-Type: application/json', length]
    wire.send(requestText('POST /api/updateUserSettings', headers))
    wire.send(length.startsWith('Content') ? 'x'.repeat(sent) : `${sent.toString(16)}\r\n${'x'.repeat(sent)}\r\n`)
    return wire
  }
  const save = (size: number) => small.post('/updateUserSettings', caller, { grip: 'x', other: 'x'.repeat(size) })

  test.each([`Content-Length: ${most}`, 'Transfer-Encoding: chunked'])(
    'is bounded: with %s, the one that has been arriving for longest gives way',
    async (length) => {
      const wires = [await slow(most - 1, length)]
      await expect.poll(held).toBeGreaterThanOrEqual(most - 1)
      wires.push(await slow(most - 1, length))
      await expect.poll(held).toBeGreaterThanOrEqual(2 * (most - 1))
      // There is room for a small body, and for a large one when the first ends.
      expect((await save(10)).status).toBe(200)
      expect((await save(most)).status).toBe(200)
      const reply = await wires[0]?.next()
      expect(outcome(reply ?? null)).toEqual([503, 'service.busy'])
      expect(reply?.headers.get('retry-after')).toBe('1')
      await wires[0]?.closed
      for (let index = 0; index < 20; index++) {
        wires.push(await slow(most - 1, length))
        expect(await held()).toBeLessThanOrEqual(together)
      }
      for (let index = 0; index < 20; index++) expect((await save(most)).status).toBe(200)
      for (const wire of wires) wire[Symbol.dispose]()
      await expect.poll(held).toBe(0)
    },
  )

  test('has room for others, and whoever holds the most gives way', async () => {
    const [other, third] = [await small.user(), await small.user()]
    const length = `Content-Length: ${most}`
    const wires: Wire[] = []
    const hold = async (as: Caller, expected: number) => {
      wires.push(await slow(most - 1, length, as))
      await expect.poll(held).toBeGreaterThanOrEqual(expected * (most - 1))
    }
    try {
      await hold(caller, 1)
      await hold(caller, 2)
      await hold(other, 3)
      const replied = wires.map((wire) => wire.next())
      const body = { grip: 'x', other: 'x'.repeat(most) }
      expect((await small.post('/updateUserSettings', third, body)).status).toBe(200)
      expect(outcome((await replied[0]) ?? null)).toEqual([503, 'service.busy'])
      expect(await held()).toBeGreaterThanOrEqual(2 * (most - 1))
      for (let index = 0; index < 5; index++) {
        wires.push(await slow(most - 1, length))
        expect((await small.post('/updateUserSettings', third, body)).status).toBe(200)
      }
      expect(await Promise.race([replied[2], 'still there'])).toBe('still there')
    } finally {
      for (const wire of wires) wire[Symbol.dispose]()
    }
    await expect.poll(held).toBe(0)
  })

  test('counts what a body takes, not the pieces in which it comes', async () => {
    using wire = await openWire(small.url)
    const headers = [`Authorization: Bearer ${caller.token}`, 'Content-Type: application/json']
    wire.send(requestText('POST /api/updateUserSettings', [...headers, 'Transfer-Encoding: chunked']))
    await new Promise((resolve) => setTimeout(resolve, 200))
    const before = await memoryInUse()
    for (let index = 0; index < 50; index++) wire.send('1\r\nx\r\n'.repeat(1_000))
    await expect.poll(held).toBe(64 * 1024)
    await expect.poll(async () => (await memoryInUse()) - before).toBeLessThan(4 * 1024 ** 2)
  })

  test('is nothing once each was answered, whatever became of it', async () => {
    const headers = { 'content-type': 'application/json' }
    await Promise.all([
      save(1_000),
      small.call('POST', '/updateUserSettings', { as: caller, raw: '{', headers }),
      small.call('POST', '/updateUserSettings', {
        as: caller,
        raw: 'x'.repeat(50_000),
        headers: { 'content-type': 'a/b' },
      }),
      small.post('/updateUserSettings', caller, { grip: 1 }),
      small.post('/updateUserSettings', null, { grip: 'x' }),
      small.post('/no/such/thing', caller, { grip: 'x' }),
    ])
    const gone = await Promise.all(Array.from({ length: 5 }, () => slow(1_000, 'Content-Length: 2000')))
    await expect.poll(held).toBe(5 * 2_000)
    for (const wire of gone) wire.socket.resetAndDestroy()
    await expect.poll(held).toBe(0)
  })
})

test('300 bodies of 1 MB leave nothing behind in memory', async () => {
  const held = async () => (await memoryInUse()) / 1024 ** 2
  const text = `{"z":"${'x'.repeat(1024 * 1024 - 8)}"}`
  const burst = async (calls: number) => {
    for (let sent = 0; sent < calls; sent += 10) await Promise.all(Array.from({ length: 10 }, () => save(text)))
  }
  await burst(20)
  const before = await held()
  await burst(300)
  await expect.poll(async () => (await held()) - before).toBeLessThan(40)
})
