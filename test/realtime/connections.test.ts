import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, outcome, startHarness } from '../harness.ts'
import { makeApplication, makeTournament } from '../make.ts'
import { openSocket } from './sockets.ts'
import { eventsPath, openStream } from './streams.ts'

let api: Harness
let sibling: Harness
let path: string
beforeAll(async () => {
  api = await startHarness()
  sibling = await api.sibling()
  path = `/tournaments/${(await makeTournament(api, await api.user(), { status: 'ongoing' })).guid}`
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

describe('who somebody is', () => {
  test('is shown by a header, by a packet or by a ticket, and by no cookie', async () => {
    const user = await api.user()
    await using byHeader = await openSocket(api, { as: user })
    expect(await byHeader.ask({ type: 'subscribe', topic: '/users/@me/notifications' })).toMatchObject({
      type: 'snapshot',
    })

    await using byPacket = await openSocket(api, { headers: { cookie: `downbeat_session=${user.token}` } })
    const refused = await byPacket.ask({ type: 'subscribe', topic: '/users/@me/notifications' })
    expect(refused).toMatchObject({ type: 'error', status: 401, code: 'token.missing' })
    expect(await byPacket.ask({ type: 'authenticate', token: 'nonsense' })).toMatchObject({
      status: 401,
      code: 'token.invalid',
    })
    const authenticated = await byPacket.ask({ type: 'authenticate', token: `Bearer ${user.token}` })
    expect(authenticated).toMatchObject({
      type: 'authenticated',
      user: { guid: user.guid },
      limits: { subscriptions: 50 },
    })
    expect(await byPacket.ask({ type: 'subscribe', topic: '/users/@me/notifications' })).toMatchObject({
      type: 'snapshot',
    })
    expect(await byPacket.ask({ type: 'authenticate', token: user.token })).toMatchObject({ type: 'authenticated' })
    const other = await api.user()
    expect(await byPacket.ask({ type: 'authenticate', token: other.token })).toMatchObject({
      code: 'connection.authenticated',
    })

    const { body } = await api.post('/realtime/tickets', user)
    expect(body.ticket).toMatch(/^[\w-]{43}$/)
    await using byTicket = await openSocket(sibling, { query: `?ticket=${body.ticket}` })
    expect(await byTicket.ask({ type: 'subscribe', topic: '/users/@me/notifications' })).toMatchObject({
      type: 'snapshot',
    })
    const again = await openSocket(api, { query: `?ticket=${body.ticket}` })
    expect((await again.closed).code).toBe(4102)
  })

  test('a ticket opens a stream too, and what it was made for alone', async () => {
    const user = await api.user()
    const made = await api.post('/realtime/tickets', user, { topics: [path] })
    const elsewhere = await api.get(eventsPath(['/users/@me/notifications'], { ticket: made.body.ticket, wait: '0' }))
    expect(outcome(elsewhere)).toEqual([404, 'topic.unknown'])
    const spent = await api.get(eventsPath([path], { ticket: made.body.ticket, wait: '0' }))
    expect(outcome(spent)).toEqual([401, 'ticket.invalid'])
    const fresh = await api.post('/realtime/tickets', user, { topics: [path] })
    const read = await api.get(eventsPath([path], { ticket: fresh.body.ticket, wait: '0' }))
    expect([read.status, JSON.parse(read.text.split('\n')[0] ?? '').type]).toEqual([200, 'snapshot'])
  })

  test('a socket that was opened for some topics takes no commands, until it is shown a token (RT27)', async () => {
    const user = await api.user()
    const { body } = await api.post('/realtime/tickets', user, { topics: [path] })
    await using socket = await openSocket(api, { query: `?ticket=${body.ticket}` })
    const order = { type: 'command', name: 'notifications.read', body: {} }
    expect(await socket.ask({ type: 'subscribe', topic: path })).toMatchObject({ type: 'snapshot' })
    expect(await socket.ask({ type: 'subscribe', topic: '/users/@me/notifications' })).toMatchObject({ status: 404 })
    expect(await socket.ask(order)).toMatchObject({ type: 'error', status: 403, code: 'command.topics_only' })
    await socket.ask({ type: 'authenticate', token: user.token })
    expect((await socket.ask(order)).code).not.toBe('command.topics_only')
  })

  test('tokens without ws:read are refused, and tokens in addresses are not looked at', async () => {
    const user = await api.user({ scopes: ['rest:write'] })
    await expect(openSocket(api, { as: user })).rejects.toThrow('401')
    await using socket = await openSocket(api)
    const refused = await socket.ask({ type: 'authenticate', token: user.token })
    expect(refused).toMatchObject({ status: 401, code: 'token.scope_missing' })
    const shown = await openSocket(api, { query: `?token=${user.token}` })
    expect((await shown.closed).code).toBe(4102)
    expect(outcome(await api.get(eventsPath([path]), user))).toEqual([401, 'token.scope_missing'])
    expect(outcome(await api.post('/realtime/tickets', user))).toEqual([401, 'scope.missing'])
  })

  test('whoever offers another protocol is told so', async () => {
    const socket = await openSocket(api, { protocols: [] })
    expect((await socket.closed).code).toBe(4203)
    expect((await fetch(api.app.socketAddress?.replace('ws:', 'http:') ?? '')).status).toBe(426)
  })
})

test('users see their connections, on any process, and close them', async () => {
  const user = await api.user()
  const application = await makeApplication(api, user)
  const ofApplication = { ...user, token: await api.token(user, ['ws:write'], application) }
  await using first = await openSocket(api, { as: user })
  await using second = await openStream(sibling, [path], { as: ofApplication })
  await first.ask({ type: 'subscribe', topic: path })
  const list = async () => (await api.get('/realtime/connections', user)).body
  await expect.poll(list).toMatchObject([
    { door: 'ndjson', application: application.clientId, subscriptions: 1, address: '127.0.0.1' },
    { door: 'socket', application: null, subscriptions: 1, address: '127.0.0.1' },
  ])
  const [stream, socket] = await list()
  const stranger = await api.user()
  expect(outcome(await api.delete(`/realtime/connections/${stream.guid}`, stranger))).toEqual([
    404,
    'connection.unknown',
  ])
  expect((await api.delete(`/realtime/connections/${stream.guid}`, user)).status).toBe(204)
  expect((await api.delete(`/realtime/connections/${socket.guid}`, user)).status).toBe(204)
  await second.ended
  expect(second.copies.packets.at(-1)).toMatchObject({ type: 'closing', code: 4101 })
  expect((await first.closed).code).toBe(4101)
  await expect.poll(list).toEqual([])
})

test('of sockets that one user opens at once, as many stay as there may be', async () => {
  const user = await api.user()
  const sockets = await Promise.all(Array.from({ length: 26 }, () => openSocket(api, { as: user })))
  const codes = new Map<number, number>()
  for (const { closed } of sockets) {
    void closed.then(({ code }) => codes.set(code, (codes.get(code) ?? 0) + 1))
  }
  await expect.poll(() => codes.get(4204)).toBe(6)
  for (const { socket } of sockets) if (socket.readyState === socket.OPEN) socket.close(1000)
  await expect
    .poll(() => [...codes.entries()].sort())
    .toEqual([
      [1000, 20],
      [4204, 6],
    ])
})

test('of sockets that one user opens at once at several processes, as many stay as there may be', async () => {
  const user = await api.user()
  const other = await openSocket(sibling, { as: await api.user() })
  const sockets = await Promise.all(
    [api, sibling].flatMap((place) => Array.from({ length: 15 }, () => openSocket(place, { as: user }))),
  )
  const codes: number[] = []
  for (const { closed } of sockets) void closed.then(({ code }) => codes.push(code))
  await expect.poll(() => codes).toEqual(Array(10).fill(4204))
  // The next check finds no connection above the limit.
  await wait(2_500)
  expect(codes.length).toBe(10)
  expect((await other.ask({ type: 'ping' })).type).toBe('pong')
  for (const { close } of [...sockets, other]) await close()
})

test('packets that are none, too many or too large end the connection', async () => {
  const closing = async (send: (socket: Awaited<ReturnType<typeof openSocket>>) => void) => {
    const socket = await openSocket(api)
    send(socket)
    return (await socket.closed).code
  }
  expect(
    await Promise.all([
      closing(({ socket }) => socket.send('no JSON')),
      closing(({ socket }) => socket.send('[]')),
      closing(({ socket }) => socket.send(Buffer.from('{}'), { binary: true })),
      closing(({ socket }) => socket.send(JSON.stringify({ type: 'ping', at: 1, fill: 'x'.repeat(9_000) }))),
      closing(({ socket }) => socket.send('x'.repeat(200_000))),
      closing((client) => {
        for (let count = 0; count < 40; count++) client.send({ type: 'ping' })
      }),
    ]),
  ).toEqual([4200, 4200, 4201, 4202, 1009, 4205])
  await using socket = await openSocket(api)
  expect(await socket.ask({ type: 'dance' })).toMatchObject({ type: 'error', status: 404, code: 'packet.unknown' })
  expect(await socket.ask({ type: 'subscribe' })).toMatchObject({ type: 'error', status: 400, code: 'packet.invalid' })
  expect(await socket.ask({ type: 'ping', at: 7 })).toMatchObject({ type: 'pong', at: 7 })
  await socket.ask({ type: 'subscribe', topic: path })
  expect(await socket.ask({ type: 'subscribe', topic: path })).toMatchObject({ status: 409, code: 'topic.subscribed' })
  expect(await socket.ask({ type: 'subscribe', topic: path, replace: true })).toMatchObject({ type: 'snapshot' })
})

test('who follows as many topics as there may be ends one first', async () => {
  await using socket = await openSocket(api)
  const answers = []
  for (let index = 0; index < 21; index++) {
    answers.push(await socket.ask({ type: 'subscribe', topic: `/tournaments?q=word${index}` }))
    if (index > 15) await wait(220)
  }
  expect(answers.slice(0, 20).map(({ type }) => type)).toEqual(Array(20).fill('snapshot'))
  expect(answers[20]).toMatchObject({ status: 429, code: 'subscriptions.limit' })
})
