import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../harness.ts'
import { exchange, openWire, requestText, type Wire } from './raw.ts'
import { outcome } from './refusal.ts'

/** Connections that are slow, many, greedy or gone: within their limits, and without harm to others. */

let api: Harness
let victim: Caller
beforeAll(async () => {
  api = await startHarness()
  victim = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

describe('a connection', () => {
  const pace = { headersTimeout: 400, requestTimeout: 800, connectionsCheckingInterval: 50, keepAliveTimeout: 1_000 }

  /** Sends a byte now and then, for as long as the other side listens. */
  function drip(wire: Wire): NodeJS.Timeout {
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
      return outcome(reply)
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
      else expect(outcome(reply)).toEqual([404, 'user.unknown'])
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
