import { createServer as createTcpServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import {
  addressOf,
  assistant,
  clientOf,
  endAll,
  listen,
  opened,
  packet,
  refused,
  scored,
  secret,
} from '../../../../test/bare-assistant.ts'
import { until } from '../../../../test/waiting.ts'
import { Unreachable } from '../http.ts'
import type { Told } from './messages.ts'

afterEach(endAll)

describe('an open connection', () => {
  test('sends packets under our token and name, and tells what comes in order', async () => {
    const server = await assistant((socket) => {
      // Sent immediately, before the caller can have the connection.
      for (const user of ['a', 'b', 'c']) socket.send(scored(user))
    })
    let tokens = 0
    const told: Told[] = []
    let isHeld = false
    const connection = await clientOf().open({
      address: addressOf(server.port),
      token: () => `${secret}-${++tokens}`,
      tournament: 't1',
      onMessage(one) {
        expect(isHeld, 'nothing is told before the connection is there').toBe(true)
        told.push(one)
      },
      onEnd: () => {},
    })
    isHeld = true
    const first = connection.send({ type: 'connect', clientVersion: 1310 })
    connection.selfGuid = 'me'
    const second = connection.send({ type: 'returnToMenu', to: ['u1'] })
    expect(told, 'nothing is told while something is sent').toEqual([])
    await until(() => server.received.length === 2 && told.length === 3)
    expect(told.map((one) => one.type === 'score' && one.user)).toEqual(['a', 'b', 'c'])
    expect(server.received).toMatchObject([
      { token: `${secret}-1`, id: first, from: '', packet: { case: 'request' } },
      { token: `${secret}-2`, id: second, from: 'me', packet: { case: 'command' } },
    ])
    expect(first).not.toBe(second)
    expect(server.requests[0]).toMatchObject({ url: '/', headers: { host: `assistant.test:${server.port}` } })
    expect(JSON.stringify(server.requests[0]?.headers)).not.toContain(secret)
  })

  test('counts what is of no use', async () => {
    const server = await assistant((socket) => {
      socket.send(packet({ case: 'heartbeat', value: true }))
      socket.send(packet({ case: 'acknowledgement', value: {} }))
      socket.send(scored('a'))
    })
    const client = clientOf()
    const { told } = await opened(addressOf(server.port), client)
    await until(() => told.length === 3)
    expect(client).toMatchObject({ ignoredPackets: 2 })
  })

  test('sends heartbeats and pings, and lives while these are answered', async () => {
    const pings: unknown[] = []
    const server = await assistant((socket) => socket.on('ping', (data) => pings.push(data)))
    const client = clientOf({ rhythm: { heartbeatMs: 100, silentMs: 1_000 } })
    const { connection, ends } = await opened(addressOf(server.port), client)
    const openedAt = connection.lastPacketAt
    // Longer than the silence after which a connection ends.
    await until(() => server.received.length >= 15 && pings.length >= 15)
    expect(new Set(server.received.map(({ packet: { case: kind } }) => kind))).toEqual(new Set(['heartbeat']))
    expect(server.received[0]?.token).toBe(secret)
    expect(ends).toEqual([])
    expect(connection.lastPacketAt).toBeGreaterThan(openedAt)
  })

  test('is over when nothing came for long', async () => {
    const server = await assistant(() => {}, { autoPong: false })
    const client = clientOf({ rhythm: { heartbeatMs: 20, silentMs: 100 } })
    const { ends } = await opened(addressOf(server.port), client)
    await until(() => ends.length > 0)
    await until(() => server.sockets[0]?.readyState === 3)
    expect(ends).toMatchObject([{ end: 'silent' }])
  })

  const endings: readonly (readonly [string, string, (socket: WebSocket) => void])[] = [
    ['a goodbye', 'closed', (socket) => socket.close(1000, secret)],
    ['a connection that breaks', 'closed', (socket) => socket.terminate()],
    ['a text', 'protocol', (socket) => socket.send('{}')],
    ['what is not protobuf', 'protocol', (socket) => socket.send(Buffer.from('GET / HTTP/1.1\r\n\r\n'))],
    ['a packet that is too large', 'protocol', (socket) => socket.send(Buffer.alloc(17 * 1024 * 1024))],
    [
      'a broken frame',
      'protocol',
      (socket) => (socket as unknown as { _socket: Socket })._socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff])),
    ],
  ]
  test.each(endings)('ends with %s as %s, once, and tells nothing afterwards', async (_name, end, act) => {
    const server = await assistant()
    const { ends, told, connection } = await opened(addressOf(server.port))
    const [socket] = await until(() => (server.sockets.length > 0 ? server.sockets : null))
    if (socket === undefined) throw new Error('nobody came')
    act(socket)
    socket.send(scored('late'), () => {})
    await until(() => ends.length > 0 && socket.readyState === socket.CLOSED)
    expect(ends).toEqual([{ end, words: expect.any(String) }])
    expect(ends[0]?.words).not.toMatch(/127|token/)
    expect(told).toEqual([])
    expect(connection.send({ type: 'heartbeat' })).toMatch(/^[0-9a-f-]{36}$/)
    connection.close()
    expect(ends).toHaveLength(1)
  })

  test('reads up to 16 MiB before we have joined, then 1 MiB', async () => {
    const large = packet({
      case: 'command',
      value: { type: { case: 'discordAuthorize', value: 'x'.repeat(2 * 1024 * 1024) } },
    })
    const server = await assistant((socket) => socket.send(large))
    const { ends, told, connection } = await opened(addressOf(server.port))
    await until(() => told.length === 1)
    connection.selfGuid = 'me'
    server.sockets[0]?.send(large)
    await until(() => ends.length === 1)
    expect(ends).toMatchObject([{ end: 'protocol', words: expect.stringContaining('too large') }])
  })

  test('that we close ends as closed; what is on its way is told no more', async () => {
    const server = await assistant()
    const { connection, ends, told } = await opened(addressOf(server.port))
    await until(() => server.sockets.length === 1)
    server.sockets[0]?.send(scored('late'))
    connection.close()
    expect(ends, 'not within the call').toEqual([])
    await until(() => server.sockets[0]?.readyState === 3)
    expect({ ends, told }).toMatchObject({ ends: [{ end: 'closed' }], told: [] })
  })

  test('all end with the client, also those that do not say goodbye and those that are being opened', async () => {
    const server = await assistant((socket) => socket.pause())
    const hanging = await listen(createTcpServer(() => {}))
    const client = clientOf()
    const { ends } = await opened(addressOf(server.port), client)
    const late = refused(addressOf(hanging), client)
    await new Promise(setImmediate)
    await client.close()
    expect(ends).toMatchObject([{ end: 'closed' }])
    expect(await late).toBeInstanceOf(Unreachable)
    expect(await refused(addressOf(server.port), client)).toBeInstanceOf(Unreachable)
  })
})
