import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../harness.ts'
import { exchange, openWire, requestText, type Wire } from './raw.ts'
import { outcome } from './refusal.ts'

/** Slow, many, greedy and broken connections: limited, and without harm to others. */

let api: Harness
let victim: Caller
beforeAll(async () => {
  api = await startHarness()
  victim = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

describe('a connection', () => {
  const pace = { headersTimeout: 400, requestTimeout: 800, connectionsCheckingInterval: 50, keepAliveTimeout: 1_000 }

  /** Sends a byte now and then, while the other side listens. */
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
      // A refusal that does not depend on the body must not wait for it.
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

  const healthy = requestText('GET /healthz')
  const statusOf = async (wire: Wire, request = healthy) => {
    wire.send(request)
    return (await wire.next())?.status
  }
  /** Starts a request that is handled until its body comes; resolves when it is being handled. */
  const begin = async (wire: Wire, caller: Caller) => {
    const headers = [`Authorization: Bearer ${caller.token}`, 'Content-Type: application/json', 'Content-Length: 12']
    const asked = once(wire.socket, 'data')
    wire.send(requestText('POST /api/updateUserSettings', [...headers, 'Expect: 100-continue']))
    expect(String(await asked)).toMatch(/^HTTP\/1.1 100 /)
  }
  describe.each([
    ['all', { maxConnections: 3 }],
    ['one caller', { maxConnectionsOfCaller: 3 }],
  ] as const)('beyond the number that %s may have', (_whose, connections) => {
    let small: Harness
    let caller: Caller
    beforeAll(async () => {
      small = await startHarness({}, { connections })
      caller = await small.user()
    })
    afterAll(() => small[Symbol.asyncDispose]())

    test('is closed at once when none is idle, and one that ends makes room', async () => {
      const wires = await Promise.all(Array.from({ length: 3 }, () => openWire(small.url)))
      for (const wire of wires) await begin(wire, caller)
      using refused = await openWire(small.url)
      refused.send(healthy)
      expect(await refused.next()).toBeNull()
      wires[0]?.[Symbol.dispose]()
      await expect.poll(async () => (await exchange(small.url, healthy))?.status).toBe(200)
      for (const wire of wires.slice(1)) {
        expect(await statusOf(wire, '{"grip":"x"}')).toBe(200)
        wire[Symbol.dispose]()
      }
    })

    test('takes the place of the one that was idle for longest', async () => {
      using first = await openWire(small.url)
      using second = await openWire(small.url)
      using busy = await openWire(small.url)
      for (const wire of [first, second, busy]) expect(await statusOf(wire)).toBe(200)
      await begin(busy, caller)
      // The first connection was used since.
      expect(await statusOf(first)).toBe(200)
      using third = await openWire(small.url)
      expect(await statusOf(third)).toBe(200)
      await second.closed
      expect(await statusOf(first)).toBe(200)
      using fourth = await openWire(small.url)
      expect(await statusOf(fourth)).toBe(200)
      await third.closed
      expect(await statusOf(busy, '{"grip":"x"}')).toBe(200)
    })

    test('takes the place of one that never asked for anything, and then of one that asked for half of it', async () => {
      using silent = await openWire(small.url)
      using half = await openWire(small.url)
      half.send('GET /healthz HTTP/1.1\r\nHost: x\r\n')
      using last = await openWire(small.url)
      using one = await openWire(small.url)
      expect(await statusOf(one)).toBe(200)
      await silent.closed
      using two = await openWire(small.url)
      expect(await statusOf(two)).toBe(200)
      await half.closed
      expect(await statusOf(last)).toBe(200)
    })
  })

  test('of a trusted proxy is everybody’s, and bounded with all others alone', async () => {
    await using behind = await startHarness(
      { trustedProxies: ['127.0.0.0/8'] },
      { connections: { maxConnections: 5, maxConnectionsOfCaller: 1 } },
    )
    const wires = await Promise.all(Array.from({ length: 5 }, () => openWire(behind.url)))
    for (const wire of wires) expect(await statusOf(wire)).toBe(200)
    for (const wire of wires) expect(await statusOf(wire)).toBe(200)
    using sixth = await openWire(behind.url)
    expect(await statusOf(sixth)).toBe(200)
    await wires[0]?.closed
    for (const wire of wires) wire[Symbol.dispose]()
  })

  test('is had by others while somebody holds thousands of idle ones', async () => {
    await using held = await startHarness({}, { connections: { maxConnections: 1_000, maxConnectionsOfCaller: 400 } })
    const idle: Wire[] = []
    for (let batch = 0; batch < 12; batch++) {
      const more = await Promise.all(Array.from({ length: 100 }, () => openWire(held.url)))
      idle.push(...more)
      await Promise.all(more.map((wire) => statusOf(wire)))
      const askedAt = performance.now()
      expect((await exchange(held.url, requestText('GET /api/users?limit=1')))?.status).toBe(200)
      expect(performance.now() - askedAt).toBeLessThan(3_000)
    }
    const { text: figures } = await held.call('GET', '//metrics')
    expect(Number(/^http_connections (\d+)$/m.exec(figures)?.[1])).toBeLessThanOrEqual(400)
    for (const wire of idle) wire[Symbol.dispose]()
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
