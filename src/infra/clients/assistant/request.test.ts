import { createServer as createPlainServer } from 'node:http'
import { fromBinary, type MessageInitShape } from '@bufbuild/protobuf'
import { afterEach, describe, expect, test } from 'vitest'
import {
  addressOf,
  assistant,
  clientOf,
  endAll,
  listen,
  packet,
  scored,
  secret,
} from '../../../../test/bare-assistant.ts'
import { until } from '../../../../test/waiting.ts'
import { type Packet, PacketSchema } from './generated/packets_pb.ts'
import { Response_ResponseType } from './generated/responses_pb.ts'
import type { Told } from './messages.ts'
import { AssistantFailure, ask, type Joining, join } from './request.ts'

afterEach(endAll)

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
    address: addressOf(port),
    token: () => secret,
    tournament: 't1',
    password: 'word',
    versionCode: 1310,
    timeoutMs: 300,
    ...given,
  })

  test('gives a connection under our name, and what the server told', async () => {
    const server = await serverWith()
    const told: Told[] = []
    const ends: string[] = []
    const joined = await join(
      clientOf(),
      joining(server.port, { onMessage: (one) => told.push(one), onEnd: (end) => ends.push(end) }),
    )
    expect(joined).toMatchObject({
      serverVersion: 1310,
      selfGuid: 'me',
      tournament: { guid: 't1', permissions: ['tournament:join'] },
      tournaments: [{ guid: 't1' }, { guid: 't2', name: 'Other' }],
    })
    expect(joined.connection.selfGuid).toBe('me')
    server.sockets[0]?.send(scored('a'))
    await until(() => told.length === 1)
    expect(told).toMatchObject([{ type: 'score', user: 'a' }])
    joined.connection.send({ type: 'heartbeat' })
    await until(() => server.received.length === 3)
    expect(server.received[2]).toMatchObject({ from: 'me', token: secret })
    joined.connection.close()
    await until(() => ends.length === 1)
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
      {
        tournaments: ['Cup', 'Other'],
        seen: [
          { guid: 't1', name: 'Cup' },
          { guid: 't2', name: 'Other' },
        ],
      },
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
    await until(() => server.sockets.every(({ readyState }) => readyState === 3))
    expect(ends, 'only what was given can end').toEqual([])
  })

  test('whoever ends it while it waits has the connection closed at once; one that was ended before is never made', async () => {
    const server = await serverWith({ ...usual, join: () => null })
    const ending = new AbortController()
    const asked = joining(server.port, { signal: ending.signal, timeoutMs: 60_000 })
    const joined = join(clientOf(), asked).catch((error: AssistantFailure) => error.code)
    await until(() => server.received.length === 2)
    ending.abort()
    expect(await joined).toBe('assistant.unreachable')
    await until(() => server.sockets.every(({ readyState }) => readyState === 3))
    await expect(join(clientOf(), asked)).rejects.toThrow()
    expect([server.sockets.length, server.received.length]).toEqual([1, 2])
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
    const { connection } = await join(clientOf(), joining(server.port, { onMessage: (one) => told.push(one) }))
    const answer = ask(connection, { type: 'loadSong', hash: 'ab', to: ['u1'] }, { timeoutMs: 1_000 })
    const asked = await until(() => server.received[2])
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
    const asked = await until(() => (server.received.length === 5 ? server.received.slice(2) : null))
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
