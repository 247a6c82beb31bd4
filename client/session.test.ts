import { expect, test } from 'vitest'
import { setUp, snapshot, until } from './test/setup.ts'

const world = setUp()
const name = '/tournaments/cup'
const user = { guid: 'u1', username: 'quaver' }
const last = () => world.statuses.at(-1)

/** Tokens in the order of the requests; null for a failed request. */
function tokens(...texts: (string | null)[]) {
  const asked: (string | null)[] = []
  const token = async () => {
    const text = texts[asked.length] ?? null
    asked.push(text)
    if (text === null) throw new Error('the network is gone')
    return text
  }
  return { asked, token }
}

const at = (ms: number) => new Date(world.time.time + ms).toISOString()
const authenticated = (id: number, expiresInMs = 3_600_000) => ({
  type: 'authenticated',
  id,
  user,
  scopes: ['ws:read'],
  expiresAt: at(expiresInMs),
})
const refusal = (id: number, more: object = {}) => ({
  type: 'error',
  id,
  status: 401,
  code: 'token.expired',
  message: 'The token has expired.',
  ...more,
})

test('it makes itself known before it asks for anything', async () => {
  const { token } = tokens('t1')
  const client = world.client({ token })
  client.topic(name).subscribe(() => {})
  const peer = await world.server.next()
  const asked = await peer.take('authenticate')
  expect(asked).toEqual({ type: 'authenticate', id: asked.id, token: 't1' })
  await peer.settle()
  expect(peer.packets).toHaveLength(1)
  expect(last()?.state).toBe('connecting')
  peer.send(authenticated(asked.id))
  await peer.take('subscribe')
  expect(last()).toEqual({ state: 'live', door: 'socket', user })
})

test('a token that is refused is asked for anew, once; then it goes on anonymously', async () => {
  const { asked, token } = tokens('t1', 't2', 't3')
  const client = world.client({ token })
  client.topic(name).subscribe(() => {})
  const peer = await world.server.next()
  peer.send(refusal((await peer.take('authenticate')).id))
  const second = await peer.take('authenticate')
  expect(second.token).toBe('t2')
  peer.send(refusal(second.id))
  await peer.take('subscribe')
  expect(last()).toMatchObject({ state: 'live', user: null })
  expect(asked).toEqual(['t1', 't2'])
})

test.each([4100, 4101, 4102, 4199])('after code %i it asks for another token', async (code) => {
  const { token } = tokens('t1', 't2')
  const client = world.client({ token })
  client.topic(name).subscribe(() => {})
  const peer = await world.server.next()
  peer.send(authenticated((await peer.take('authenticate')).id))
  peer.send(snapshot(name, 'p1', {}, { id: (await peer.take('subscribe')).id }))
  await until(() => client.topic(name).status === 'live')
  peer.close(code)
  const again = await world.reconnected()
  const asked = await again.take('authenticate')
  expect(asked.token).toBe('t2')
  again.send(authenticated(asked.id))
  expect(await again.take('subscribe')).toMatchObject({ since: 'p1' })
})

test('after any other loss the token that it has is good enough', async () => {
  const { asked, token } = tokens('t1', 't2')
  world
    .client({ token })
    .topic(name)
    .subscribe(() => {})
  let next = world.server.next()
  for (let attempt = 0; attempt < 3; attempt++) {
    const peer = await next
    const packet = await peer.take('authenticate')
    expect(packet.token).toBe('t1')
    peer.send(authenticated(packet.id))
    await until(() => last()?.state === 'live')
    peer.close(4000)
    next = world.reconnected()
  }
  await next
  expect(asked).toEqual(['t1'])
})

test('a token that cannot be had is asked for three times; then it goes on anonymously, until it is asked for again', async () => {
  const { asked, token } = tokens(null, null, null, 't4')
  world
    .client({ token })
    .topic(name)
    .subscribe(() => {})
  const peer = await world.server.next()
  await until(() => asked.length === 1)
  await peer.settle()
  world.time.pass(1_000)
  await until(() => asked.length === 2)
  await peer.settle()
  expect(peer.packets).toEqual([])
  world.time.pass(1_000)
  await peer.take('subscribe')
  expect([asked.length, last()?.user]).toEqual([3, null])
  peer.close(4000)
  expect((await (await world.reconnected()).take('authenticate')).token).toBe('t4')
})

test('who has no token is anonymous', async () => {
  world
    .client({ token: async () => null })
    .topic(name)
    .subscribe(() => {})
  const peer = await world.server.next()
  await peer.take('subscribe')
  expect(peer.count('authenticate')).toBe(0)
})

test('a token is renewed on the open socket before it expires', async () => {
  const { asked, token } = tokens('t1', 't2', null, null, null, 't6')
  world.client({ token })
  const peer = await world.server.next()
  peer.send(authenticated((await peer.take('authenticate')).id, 600_000))
  await until(() => peer.count('ping') === 5)
  // A ping is sent after 25 s, and answered while the clock stands still.
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 5_000) {
      world.time.pass(Math.min(5_000, ms - passed))
      await peer.settle()
    }
  }
  await pass(539_999)
  expect(asked).toEqual(['t1'])
  world.time.pass(1)
  const renewed = await peer.take('authenticate')
  expect(renewed.token).toBe('t2')
  peer.send(authenticated(renewed.id, 100_000))
  await peer.settle()
  // Less than two minutes are left, so the renewal is after half of the time. Without a token, it is after half of the
  // rest.
  await pass(49_999)
  expect(asked).toHaveLength(2)
  world.time.pass(1)
  for (let attempt = 3; attempt <= 5; attempt++) {
    await until(() => asked.length === attempt)
    await peer.settle()
    if (attempt < 5) world.time.pass(1_000)
  }
  await pass(30_000)
  const next = await peer.take('authenticate')
  expect(next.token).toBe('t6')
  expect(world.statuses.map(({ state }) => state)).toEqual(['connecting', 'live'])
})

test('a token that is good for longer than a timer lasts is not renewed before its time', async () => {
  const { asked, token } = tokens('t1', 't2')
  world.client({ token })
  const peer = await world.server.next()
  const days = 86_400_000
  peer.send(authenticated((await peer.take('authenticate')).id, 60 * days))
  await until(() => last()?.state === 'live')
  await until(() => peer.count('ping') === 5)
  for (let hour = 0; hour < 48; hour++) {
    world.time.time += 3_600_000
    world.time.pass(0)
    await peer.settle()
  }
  expect(asked).toEqual(['t1'])
  world.time.time += 58 * days - 30_000
  for (const ms of [0, 10_000, 5_000]) {
    world.time.pass(ms)
    await peer.settle()
  }
  expect((await peer.take('authenticate')).token).toBe('t2')
})

test('a new token of another user gets a connection of its own', async () => {
  const { token } = tokens('t1', 't2')
  const client = world.client({ token })
  client.topic(name).subscribe(() => {})
  const peer = await world.server.next()
  peer.send(authenticated((await peer.take('authenticate')).id, 600_000))
  await until(() => last()?.state === 'live')
  world.time.time += 540_000
  world.time.pass(0)
  const renewed = await peer.take('authenticate')
  peer.send(refusal(renewed.id, { status: 409, code: 'connection.authenticated' }))
  expect((await (await world.reconnected()).take('authenticate')).token).toBe('t2')
})

test('a service that is in trouble is no reason to go on anonymously', async () => {
  const { asked, token } = tokens('t1', 't2')
  world
    .client({ token })
    .topic(name)
    .subscribe(() => {})
  const peer = await world.server.next()
  peer.send(refusal((await peer.take('authenticate')).id, { status: 503, code: 'service.unavailable' }))
  await until(() => last()?.state === 'waiting')
  expect([asked, peer.count('subscribe')]).toEqual([['t1'], 0])
})

test('a view token is given up when it is no good any more', async () => {
  world
    .client({ viewToken: 'v1' })
    .topic(name)
    .subscribe(() => {})
  const peer = await world.server.next()
  const asked = await peer.take('authenticate')
  expect(asked).toEqual({ type: 'authenticate', id: asked.id, viewToken: 'v1' })
  peer.send({ ...authenticated(asked.id), user: null, expiresAt: null })
  await peer.take('subscribe')
  peer.close(4103)
  const again = await world.reconnected()
  await again.take('subscribe')
  expect(again.count('authenticate')).toBe(0)
})

test('limits that hold for a user take the place of those for strangers', async () => {
  world.server.greets = false
  const limits = { subscriptions: 20, packetBytes: 8_192, packetsPerSecond: 5, publishPerSecond: 0 }
  const client = world.client({ token: async () => 't' })
  for (let index = 0; index < 50; index++) client.topic(`/tournaments/${index}`).subscribe(() => {})
  const peer = await world.server.next()
  peer.hello({ limits })
  const asked = await peer.take('authenticate')
  peer.send({ ...authenticated(asked.id), limits: { ...limits, subscriptions: 50, packetsPerSecond: 20 } })
  await peer.take('subscribe')
  for (let second = 0; second < 3; second++) {
    world.time.pass(1_000)
    await peer.settle()
  }
  expect(peer.count('subscribe')).toBe(50)
})
