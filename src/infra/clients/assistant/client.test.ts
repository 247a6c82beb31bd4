import { once } from 'node:events'
import { createServer as createPlainServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { isPublicAddress } from '../../../core/network.ts'
import { Unreachable } from '../http.ts'
import { type AssistantClientOptions, createAssistantClient } from './client.ts'
import { type Packet, PacketSchema } from './generated/packets_pb.ts'
import { Response_ResponseType } from './generated/responses_pb.ts'
import type { Told } from './messages.ts'
import { AssistantFailure, ask, type Joining, join } from './request.ts'
import type { AssistantAddress, AssistantConnection } from './types.ts'

/** Connections, against servers of this file alone that do to them what servers and networks do. */

/** Self-signed for assistant.test, from 2020 to 2120; the key protects nothing. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBbzCCARagAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5hc3Npc3Rh
bnQudGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGTEXMBUG
A1UEAwwOYXNzaXN0YW50LnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ+
5LWvLhIWxecX39s9UuiV/gKWdn4RiUeaRQe27YNOGr3rQazejAaOt6aVPMwr/pK0
fsjzQwP5SWZYpAMK/mNVo00wSzAZBgNVHREEEjAQgg5hc3Npc3RhbnQudGVzdDAP
BgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBSb8H2lBCFvFsiZY2LJtgWxHuXO9zAK
BggqhkjOPQQDAgNHADBEAiBsQosWzuSBAv/+thy5l5l8pzwXTyL6y7lkbJGd4o6L
hQIgU/QIN2hFIRIbb68YD0XUhGMBduRczmWkYvYb44NPnoQ=
-----END CERTIFICATE-----
`
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbm6AVyx0GOhHmmw6
mdPLmiJZ4+1vDWzMuGllHoDPOdmhRANCAAQ+5LWvLhIWxecX39s9UuiV/gKWdn4R
iUeaRQe27YNOGr3rQazejAaOt6aVPMwr/pK0fsjzQwP5SWZYpAMK/mNV
-----END PRIVATE KEY-----
`
const fingerprint = '475f3733089ba4c102d6250fb366899f1b6773444d726be75f6c35a3af85bebf'

const secret = 'token-that-nobody-may-read'
const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

interface Standing {
  readonly port: number
  readonly sockets: WebSocket[]
  readonly requests: IncomingMessage[]
  /** Packets, in the order in which they came. */
  readonly received: Packet[]
}

/** @param serve what is done with each connection */
async function assistant(
  serve: (socket: WebSocket) => void = () => {},
  { withTls = false, autoPong = true } = {},
): Promise<Standing> {
  const http = withTls ? createTlsServer({ cert, key }) : createPlainServer()
  const sockets: WebSocket[] = []
  const requests: IncomingMessage[] = []
  const received: Packet[] = []
  const server = new WebSocketServer({ server: http, autoPong })
  server.on('connection', (socket, request) => {
    sockets.push(socket)
    requests.push(request)
    socket.on('message', (data) => received.push(fromBinary(PacketSchema, data as Buffer)))
    socket.on('error', () => {})
    serve(socket)
  })
  const port = await listen(http)
  cleanups.push(() => {
    for (const socket of sockets) socket.terminate()
  })
  return { port, sockets, requests, received }
}

function packet(init: MessageInitShape<typeof PacketSchema>['packet'], from = 'server'): Uint8Array {
  return toBinary(PacketSchema, create(PacketSchema, { id: 'x', from, packet: init ?? { case: undefined } }))
}

const scored = (user: string) =>
  packet({ case: 'push', value: { data: { case: 'realtimeScore', value: { userGuid: user } } } })

function clientOf(given: Partial<AssistantClientOptions> = {}) {
  const client = createAssistantClient({
    isAllowed: () => true,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    allowPlain: true,
    timeoutMs: 2_000,
    ...given,
  })
  cleanups.push(() => client.close())
  return client
}

const addressOf = (port: number, given: Partial<AssistantAddress> = {}): AssistantAddress => ({
  ...{ host: 'assistant.test', port, tls: false, certificate: 'public' },
  ...given,
})

async function opened(address: AssistantAddress, client = clientOf()) {
  const told: Told[] = []
  const ends: { end: string; words: string }[] = []
  const connection: AssistantConnection = await client.open({
    address,
    token: () => secret,
    tournament: 't1',
    onTold: (one) => told.push(one),
    onEnd: (end, words) => ends.push({ end, words }),
  })
  return { connection, told, ends, client }
}

/** What the caller is told of why it did not work. */
async function refused(address: AssistantAddress, client = clientOf()): Promise<Unreachable> {
  const error = await opened(address, client).then(
    () => new Error('it was opened'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Unreachable)) throw error
  expect(error.message).not.toContain(secret)
  expect(error.cause).toBeUndefined()
  return error
}

describe('an open connection', () => {
  test('sends packets under our token and name, and tells what comes in order', async () => {
    const server = await assistant((socket) => {
      // At once, before the caller can have the connection.
      for (const user of ['a', 'b', 'c']) socket.send(scored(user))
    })
    let tokens = 0
    const told: Told[] = []
    let isHeld = false
    const connection = await clientOf().open({
      address: addressOf(server.port),
      token: () => `${secret}-${++tokens}`,
      tournament: 't1',
      onTold(one) {
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
    await vi.waitUntil(() => server.received.length === 2 && told.length === 3, { interval: 5 })
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
    await vi.waitUntil(() => told.length === 3, { interval: 5 })
    expect(client).toMatchObject({ ignoredPackets: 2 })
  })

  test('sends heartbeats and pings, and lives while these are answered', async () => {
    const pings: unknown[] = []
    const server = await assistant((socket) => socket.on('ping', (data) => pings.push(data)))
    const client = clientOf({ rhythm: { heartbeatMs: 40, silentMs: 200 } })
    const { connection, ends } = await opened(addressOf(server.port), client)
    const openedAt = connection.lastPacketAt
    await vi.waitUntil(() => server.received.length >= 8 && pings.length >= 8, { interval: 10, timeout: 3_000 })
    expect(new Set(server.received.map(({ packet: { case: kind } }) => kind))).toEqual(new Set(['heartbeat']))
    expect(server.received[0]?.token).toBe(secret)
    expect(ends).toEqual([])
    expect(connection.lastPacketAt).toBeGreaterThan(openedAt)
  })

  test('is over when nothing came for long', async () => {
    const server = await assistant(() => {}, { autoPong: false })
    const client = clientOf({ rhythm: { heartbeatMs: 20, silentMs: 100 } })
    const { ends } = await opened(addressOf(server.port), client)
    await vi.waitUntil(() => ends.length > 0, { interval: 10 })
    await vi.waitUntil(() => server.sockets[0]?.readyState === 3, { interval: 10 })
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
    const [socket] = await vi.waitUntil(() => (server.sockets.length > 0 ? server.sockets : null), { interval: 5 })
    if (socket === undefined) throw new Error('nobody came')
    act(socket)
    socket.send(scored('late'), () => {})
    await vi.waitUntil(() => ends.length > 0 && socket.readyState === socket.CLOSED, { interval: 5 })
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
    await vi.waitUntil(() => told.length === 1, { interval: 5 })
    connection.selfGuid = 'me'
    server.sockets[0]?.send(large)
    await vi.waitUntil(() => ends.length === 1, { interval: 5 })
    expect(ends).toMatchObject([{ end: 'protocol', words: expect.stringContaining('too large') }])
  })

  test('that we close ends as closed; what is on its way is told no more', async () => {
    const server = await assistant()
    const { connection, ends, told } = await opened(addressOf(server.port))
    await vi.waitUntil(() => server.sockets.length === 1, { interval: 5 })
    server.sockets[0]?.send(scored('late'))
    connection.close()
    expect(ends, 'not within the call').toEqual([])
    await vi.waitUntil(() => server.sockets[0]?.readyState === 3, { interval: 5 })
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

describe('where it may lead', () => {
  const guarded = { isAllowed: isPublicAddress, resolve: async () => [{ address: '127.0.0.1', family: 4 }] }

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    'localhost',
    'assistant.test',
    'public.test/x?',
    'user@public.test',
    'public.test#',
    '..\\',
    '',
  ])('not to %j', async (host) => {
    const server = await assistant()
    for (const tls of [false, true]) {
      const error = await refused(addressOf(server.port, { host, tls }), clientOf(guarded))
      expect(error.reason).toBe('out_of_reach')
      expect(error.message.replace(error.host, '')).not.toMatch(/\d\.\d/)
    }
    expect(server.requests).toEqual([])
  })

  test('not to a name of which one address is private, nor to one without any; these look the same', async () => {
    const mixed = async () => ['93.184.215.14', '10.0.0.5'].map((address) => ({ address, family: 4 }))
    const none = async () => []
    const failing = async () => Promise.reject(new Error('10.0.0.53 did not answer'))
    const words = await Promise.all(
      [mixed, none, failing].map(async (resolve) => {
        const { message, reason } = await refused(addressOf(8676), clientOf({ ...guarded, resolve }))
        return { message, reason }
      }),
    )
    expect(words[0]).toMatchObject({ reason: 'out_of_reach', message: expect.stringContaining('assistant.test:8676') })
    expect(new Set(words.map((one) => JSON.stringify(one))).size).toBe(1)
  })

  test('the address that was checked is the one that is connected to: the name is asked for once', async () => {
    const server = await assistant()
    let asked = 0
    const resolve = async () => [{ address: ++asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
    await opened(addressOf(server.port), clientOf({ resolve }))
    expect(asked).toBe(1)
    expect(server.requests).toHaveLength(1)
  })

  test('without TLS only where that is allowed', async () => {
    const server = await assistant()
    expect(await refused(addressOf(server.port), clientOf({ allowPlain: false }))).toMatchObject({
      reason: 'out_of_reach',
    })
    expect(server.requests).toEqual([])
  })

  test('redirects are not followed', async () => {
    const target = await assistant()
    const from = createPlainServer()
    from.on('upgrade', (_request, socket) =>
      socket.end(`HTTP/1.1 302 Found\r\nLocation: ws://assistant.test:${target.port}/\r\nContent-Length: 0\r\n\r\n`),
    )
    expect(await refused(addressOf(await listen(from)))).toMatchObject({ reason: 'failing', status: 302 })
    expect(target.requests).toEqual([])
  })

  test('what is no assistant, nobody, and nobody who answers', async () => {
    const page = createPlainServer((_request, response) => response.writeHead(404).end(secret))
    const words = createTcpServer((socket) => socket.end('220 mail.internal ESMTP\r\n'))
    const silent = createTcpServer(() => {})
    const closed = createPlainServer()
    const closedPort = await listen(closed)
    closed.close()
    const quick = clientOf({ timeoutMs: 150 })
    const ports = { page: await listen(page), words: await listen(words), silent: await listen(silent) }
    const [notFound, mail, nobody, hanging, hangingTls] = await Promise.all([
      refused(addressOf(ports.page)),
      refused(addressOf(ports.words)),
      refused(addressOf(closedPort)),
      refused(addressOf(ports.silent), quick),
      refused(addressOf(ports.silent, { tls: true }), quick),
    ])
    expect(notFound).toMatchObject({ reason: 'failing', status: 404 })
    expect(nobody).toMatchObject({ reason: 'refused' })
    expect([hanging.reason, hangingTls.reason]).toEqual(['timeout', 'timeout'])
    for (const { message } of [notFound, mail, nobody, hanging, hangingTls]) {
      expect(message).not.toMatch(/127\.0|mail\.internal/)
      expect(message).toMatch(/^assistant\.test:\d+: /)
    }
  })
})

describe('certificates', () => {
  const colons = (fingerprint.toUpperCase().match(/../g) ?? []).join(':')

  test.each([fingerprint, colons])('the one that the link names is accepted: %s', async (certificate) => {
    const server = await assistant(() => {}, { withTls: true })
    const { connection } = await opened(addressOf(server.port, { tls: true, certificate, host: 'other.test' }))
    connection.send({ type: 'heartbeat' })
    await vi.waitUntil(() => server.received.length === 1, { interval: 5 })
  })

  test.each([
    ['another one than the link names', fingerprint.replace('4', '5')],
    ['the beginning of it', fingerprint.slice(0, 32)],
    ['no fingerprint', ''],
    ['a self-signed one, where it is to be public', 'public'],
  ])('%s is refused before anything is sent', async (_name, certificate) => {
    const server = await assistant(() => {}, { withTls: true })
    expect(await refused(addressOf(server.port, { tls: true, certificate }))).toMatchObject({ reason: 'refused' })
    expect(server.requests).toEqual([])
  })

  test('public ones are verified by authority and name', async () => {
    const usual = getCACertificates('default')
    cleanups.push(() => setDefaultCACertificates(usual))
    setDefaultCACertificates([...usual, cert])
    const server = await assistant(() => {}, { withTls: true })
    const { ends } = await opened(addressOf(server.port, { tls: true }))
    expect(ends).toEqual([])
    expect(await refused(addressOf(server.port, { tls: true, host: 'other.test' }))).toMatchObject({
      reason: 'refused',
    })
    expect(server.requests).toHaveLength(1)
  })
})

describe('joining', () => {
  type Body = MessageInitShape<typeof PacketSchema>['packet']
  type Answers = Readonly<Record<string, (packet: Packet, version: number) => Body | null>>
  type ResponseInit = Extract<NonNullable<Body>, { case: 'response' }>['value']

  const response = (value: ResponseInit): Body => ({ case: 'response', value })
  const success = Response_ResponseType.Success
  const cups = [
    { guid: 't1', settings: { tournamentName: 'Cup', myPermissions: ['tournament:join'] } },
    { guid: 't2', settings: { tournamentName: 'Other' } },
  ]

  /** A server of version 1310 whose tournament has the password `word`. */
  const usual: Answers = {
    connect: (_packet, version) =>
      version === 1310
        ? response({
            type: success,
            details: { case: 'connect', value: { serverVersion: 1310, state: { tournaments: cups } } },
          })
        : response({ details: { case: 'connect', value: { serverVersion: 1310 } } }),
    join: ({ packet: { value } }) => {
      const isRight = JSON.stringify(value, (_key, one) => (typeof one === 'bigint' ? null : one)).includes('"word"')
      return isRight
        ? response({
            type: success,
            details: { case: 'join', value: { selfGuid: 'me', tournamentId: 't1', state: { tournaments: cups } } },
          })
        : response({ details: { case: 'join', value: { message: secret } } })
    },
  }

  async function serverWith(answers: Answers = usual) {
    const standing = await assistant((socket) => {
      socket.on('message', (data) => {
        const received = fromBinary(PacketSchema, data as Buffer)
        if (received.packet.case !== 'request') return
        const { type } = received.packet.value
        const version = type.case === 'connect' ? type.value.clientVersion : 0
        const body = answers[type.case ?? '']?.(received, version)
        if (body === null || body === undefined) return
        if (body.case === 'response' && body.value !== undefined) body.value.respondingToPacketId = received.id
        socket.send(packet(body))
      })
    })
    return standing
  }

  const joining = (port: number, given: Partial<Joining> = {}): Joining => ({
    ...{ address: addressOf(port), token: () => secret, tournament: 't1', password: 'word', versionCode: 1310 },
    ...{ timeoutMs: 300, ...given },
  })

  test('gives a connection under our name, and what the server told', async () => {
    const server = await serverWith()
    const told: Told[] = []
    const ends: string[] = []
    const joined = await join(
      clientOf(),
      joining(server.port, { onTold: (one) => told.push(one), onEnd: (end) => ends.push(end) }),
    )
    expect(joined).toMatchObject({
      ...{ serverVersion: 1310, selfGuid: 'me' },
      tournament: { guid: 't1', permissions: ['tournament:join'] },
      tournaments: [{ guid: 't1' }, { guid: 't2', name: 'Other' }],
    })
    expect(joined.connection.selfGuid).toBe('me')
    server.sockets[0]?.send(scored('a'))
    await vi.waitUntil(() => told.length === 1, { interval: 5 })
    expect(told).toMatchObject([{ type: 'score', user: 'a' }])
    joined.connection.send({ type: 'heartbeat' })
    await vi.waitUntil(() => server.received.length === 3, { interval: 5 })
    expect(server.received[2]).toMatchObject({ from: 'me', token: secret })
    joined.connection.close()
    await vi.waitUntil(() => ends.length === 1, { interval: 5 })
  })

  test('connects once more under the version of the server', async () => {
    const server = await serverWith()
    const { serverVersion } = await join(clientOf(), joining(server.port, { versionCode: 1300 }))
    expect(serverVersion).toBe(1310)
    expect(server.requests).toHaveLength(2)
  })

  const versionOf = (told: number): Answers => ({
    connect: () => response({ details: { case: 'connect', value: { serverVersion: told } } }),
  })
  const permission = response({
    details: { case: 'permissionError', value: { requiredPermission: 'tournament:join', currentRoles: secret } },
  })
  const failures: readonly (readonly [string, string, object, Answers, Partial<Joining>])[] = [
    ['a version too old', 'assistant.version', { clientVersion: 1310, serverVersion: 1239 }, versionOf(1239), {}],
    ['a version too new', 'assistant.version', { clientVersion: 1310, serverVersion: 1400 }, versionOf(1400), {}],
    ['two versions', 'assistant.version', { clientVersion: 1320, serverVersion: 1320 }, versionOf(1320), {}],
    [
      'a bad token',
      'assistant.unauthorised',
      {},
      { connect: () => ({ case: 'command', value: { type: { case: 'discordAuthorize', value: 'https://x' } } }) },
      {},
    ],
    ['a wrong password', 'assistant.password', {}, usual, { password: 'wrong' }],
    [
      'another tournament',
      'assistant.tournament_unknown',
      { tournaments: ['Cup', 'Other'] },
      usual,
      { tournament: 't9' },
    ],
    [
      'a missing permission',
      'assistant.permission',
      { permission: 'tournament:join' },
      { ...usual, join: () => permission },
      {},
    ],
    ['no answer', 'assistant.timeout', {}, { ...usual, join: () => null }, {}],
    ['another answer', 'assistant.protocol', {}, { ...usual, join: () => response({ type: success }) }, {}],
  ]
  test.each(failures)('%s is %s', async (_name, code, details, answers, given) => {
    const server = await serverWith(answers)
    const ends: string[] = []
    const failure = await join(clientOf(), joining(server.port, { ...given, onEnd: (end) => ends.push(end) })).then(
      () => null,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(AssistantFailure)
    expect(failure).toMatchObject({ code, details })
    expect(JSON.stringify([failure, String(failure)])).not.toContain(secret)
    await vi.waitUntil(() => server.sockets.every(({ readyState }) => readyState === 3), { interval: 5 })
    expect(ends, 'only what was given can end').toEqual([])
  })

  test('no server, one that hangs up and one that is no assistant', async () => {
    const page = await listen(createPlainServer((_request, response) => response.writeHead(404).end()))
    const hangingUp = await assistant((socket) => socket.on('message', () => socket.close()))
    const talking = await assistant((socket) => socket.on('message', () => socket.send('hello')))
    const codes = await Promise.all(
      [page, hangingUp.port, talking.port].map((port) =>
        join(clientOf(), joining(port)).catch((error: AssistantFailure) => error.code),
      ),
    )
    expect(codes).toEqual(['assistant.unreachable', 'assistant.unreachable', 'assistant.protocol'])
  })

  test('answers of players are not the server’s', async () => {
    const server = await serverWith()
    const told: Told[] = []
    const { connection } = await join(clientOf(), joining(server.port, { onTold: (one) => told.push(one) }))
    const answer = ask(connection, { type: 'loadSong', hash: 'ab', to: ['u1'] }, { timeoutMs: 1_000 })
    const asked = await vi.waitUntil(() => server.received[2], { interval: 5 })
    const body = response({ type: success, respondingToPacketId: asked.id })
    server.sockets[0]?.send(packet(body, 'u1'))
    server.sockets[0]?.send(packet(body, 'server'))
    expect(await answer).toMatchObject({ ok: true, from: 'server' })
    expect(told).toMatchObject([{ type: 'answer', from: 'u1' }])
  })

  test('many questions at once get their own answers, and all of them fail with the connection', async () => {
    const server = await serverWith()
    const { connection } = await join(clientOf(), joining(server.port))
    const boards = ['x1', 'x2', 'x3'].map((map) => ask(connection, { type: 'qualifierScores', event: 'e', map }))
    const asked = await vi.waitUntil(() => (server.received.length === 5 ? server.received.slice(2) : null), {
      interval: 5,
    })
    for (const one of asked.toReversed()) {
      const { type } = one.packet.value as Extract<Packet['packet'], { case: 'request' }>['value']
      const scores = [{ mapId: type.case === 'qualifierScores' ? type.value.mapId : '' }]
      const details = { case: 'leaderboardEntries', value: { scores } } as const
      server.sockets[0]?.send(packet(response({ type: success, respondingToPacketId: one.id, details })))
    }
    expect(await Promise.all(boards)).toMatchObject(
      ['x1', 'x2', 'x3'].map((mapGuid) => ({ details: { type: 'board', entries: [{ mapGuid }] } })),
    )
    const last = ask(connection, { type: 'deleteMatch', match: 'm' }).catch((error: AssistantFailure) => error.code)
    server.sockets[0]?.terminate()
    expect(await last).toBe('assistant.unreachable')
    await expect(ask(connection, { type: 'deleteMatch', match: 'm' })).rejects.toMatchObject({
      code: 'assistant.unreachable',
    })
    expect(connection.waiting.size).toBe(0)
  })
})
