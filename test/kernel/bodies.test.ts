import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/app.ts'
import { isForPrograms, parametersOf } from '../../src/core/operation.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../harness.ts'
import { addressOf, makeWorld, type World } from '../world.ts'
import { exchange, openWire, requestText } from './raw.ts'
import { expectProperRefusal, outcome } from './refusal.ts'

/** Bodies that somebody who means harm, or whose client is broken, may send: refused in the proper form, without harm. */

let api: Harness
/** It may suffer. */
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
    .filter((operation) => operation.kind === 'command' && operation.body !== undefined)
    .map((operation) => [operation.name, operation] as const),
)('the body of %s', (_name, operation) => {
  const { properties = {} } = ((operation.kind === 'command' && operation.body) || {}) as { properties?: object }
  const send = (body: unknown) =>
    api.call(operation.method, addressOf(operation, world), {
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
    if (!isForPrograms(operation.scope) || (operation.kind === 'command' && operation.bodyType === 'form')) return
    const resolved = parametersOf(operation.path).every((name) => ['tournament', 'team', 'user'].includes(name))
    if (!resolved) return
    for (const name of [...Object.keys(properties), 'stranger']) {
      expect(outcome(await send({ [name]: 'a\u0000b' })), name).toEqual([400, 'request.invalid'])
    }
  })
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
