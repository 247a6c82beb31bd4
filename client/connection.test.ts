import { expect, test } from 'vitest'
import type { Client } from './connect.ts'
import type { Peer } from './test/server.ts'
import { event, setUp, snapshot, until } from './test/setup.ts'

const world = setUp()
const name = '/tournaments/cup'

async function follow(client: Client): Promise<Peer> {
  client.topic(name).subscribe(() => {})
  const peer = await world.server.next()
  peer.send(snapshot(name, 'p1', { a: 1 }, { id: (await peer.take('subscribe')).id }))
  await until(() => client.topic(name).status === 'live')
  return peer
}

const last = () => world.statuses.at(-1)

test('after a loss the value stays, and the topic goes on where it was', async () => {
  const client = world.client()
  const topic = client.topic(name)
  const peer = await follow(client)
  const value = topic.value
  peer.cut()
  await until(() => last()?.state === 'waiting')
  expect([topic.value, topic.status]).toEqual([value, 'behind'])
  // Half of the range from 0 to 0.5 s.
  expect(last()).toEqual({ state: 'waiting', retryInMs: 250, code: 1006, reason: '' })
  world.time.pass(249)
  expect(world.server.handshakes).toBe(1)
  world.time.pass(1)
  const again = await world.server.next()
  const asked = await again.take('subscribe')
  expect(asked).toEqual({ type: 'subscribe', topic: name, since: 'p1', etag: '"p1"', id: asked.id })
  again.send({ type: 'resumed', id: asked.id, topic: name, position: 'p1', etag: '"p1"' })
  await until(() => topic.status === 'live')
  expect(topic.value).toBe(value)
  again.send(event(name, 'p1', 'p2', [{ op: 'add', path: '/b', value: 2 }]))
  await until(() => JSON.stringify(topic.value) === '{"a":1,"b":2}')
  expect(world.statuses.map(({ state }) => state)).toEqual(['connecting', 'live', 'waiting', 'connecting', 'live'])
})

test.each([4000, 4001, 4007, 4009, 4010, 4099, 1001, 1011, 1012])('after code %i it comes back', async (code) => {
  const client = world.client()
  const peer = await follow(client)
  peer.close(code)
  await until(() => last()?.state === 'waiting')
  expect(last()).toMatchObject({ code, reason: 'As a test wants it.' })
  world.time.pass(500)
  expect(await (await world.server.next()).take('subscribe')).toMatchObject({ since: 'p1' })
})

test.each([4200, 4201, 4202, 4203, 4204, 4205, 4206, 4207, 4299])('after code %i it stays away', async (code) => {
  const client = world.client()
  const topic = client.topic(name)
  const peer = await follow(client)
  const lost = client.command('matches.start', { params: { tournament: 'cup', match: '1' } }, { key: 'k' })
  await peer.take('command')
  peer.close(code)
  await expect(lost).rejects.toMatchObject({
    code: 'connection.refused',
    message: expect.stringContaining(`(${code})`),
  })
  expect([last(), client.status]).toEqual(Array(2).fill({ state: 'closed', code, reason: 'As a test wants it.' }))
  expect([topic.value, topic.status, topic.error?.code]).toEqual([{ a: 1 }, 'ended', 'connection.refused'])
  const late = client.command('matches.start', { params: { tournament: 'cup', match: '1' } })
  await expect(late).rejects.toMatchObject({ code: 'connection.refused' })
  client.topic('/tournaments/other').subscribe(() => {})
  expect(client.topic('/tournaments/other').status).toBe('ended')
  expect(world.time.timers).toBe(0)
  expect(world.server.handshakes).toBe(1)
})

test('waits grow up to 30 s, and begin anew after a connection that lasted', async () => {
  const client = world.client()
  await (await follow(client)).take('ping')
  world.server.blocks = true
  world.server.peers[0]?.cut()
  const waits: number[] = []
  for (let attempt = 1; attempt <= 9; attempt++) {
    await until(() => last()?.state === 'waiting')
    const { retryInMs = 0 } = last() ?? {}
    waits.push(retryInMs)
    world.server.blocks = attempt < 9
    world.time.pass(retryInMs)
  }
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000])
  // A connection that breaks soon counts as another failure.
  const short = await world.server.next()
  await until(() => last()?.state === 'live')
  short.cut()
  await until(() => last()?.state === 'waiting')
  expect(last()?.retryInMs).toBe(15_000)
  world.time.pass(15_000)
  const long = await world.server.next()
  await until(() => last()?.state === 'live')
  world.time.pass(10_000)
  long.cut()
  await until(() => last()?.state === 'waiting')
  expect(last()?.retryInMs).toBe(250)
})

test.each([0, 0.5, 0.999])('waits are random, %d of the longest', async (chance) => {
  world.time.chance = chance
  const peer = await follow(world.client())
  peer.close(4000)
  await until(() => last()?.state === 'waiting')
  expect(last()?.retryInMs).toBe(chance * 500)
})

test('whoever waited for next to nothing several times waits no longer than others then', async () => {
  const client = world.client()
  world.time.chance = 0
  const peer = await follow(client)
  world.server.blocks = true
  peer.cut()
  const attempt = async () => {
    await until(() => last()?.state === 'waiting')
    const { retryInMs = 0 } = last() ?? {}
    world.time.pass(retryInMs)
    return retryInMs
  }
  for (let failed = 1; failed <= 5; failed++) expect(await attempt()).toBe(0)
  world.time.chance = 0.999
  // By the number of attempts alone it would be 16 s, 30 s and 30 s.
  expect([await attempt(), await attempt(), await attempt()].map(Math.round)).toEqual([3_996, 11_980, 29_970])
})

test('a gateway that drains says when to come back', async () => {
  const peer = await follow(world.client())
  peer.send({ type: 'draining', reconnectInMs: 7_000, closesInMs: 3_000 })
  await peer.settle()
  world.time.pass(3_000)
  expect(world.statuses.at(-1)?.state).toBe('live')
  peer.close(4000)
  await until(() => last()?.state === 'waiting')
  expect(last()?.retryInMs).toBe(4_000)
  world.time.pass(3_999)
  expect(world.server.handshakes).toBe(1)
  world.time.pass(1)
  const again = await world.server.next()
  await until(() => last()?.state === 'live')
  // The hint was for the previous attempt only.
  again.cut()
  await until(() => last()?.state === 'waiting')
  expect(last()?.retryInMs).toBe(500)
})

test('when the time to come back is over before the socket closes, it comes back at once', async () => {
  const peer = await follow(world.client())
  peer.send({ type: 'draining', reconnectInMs: 2_000, closesInMs: 9_000 })
  await peer.settle()
  world.time.pass(9_000)
  peer.close(4000)
  await until(() => last()?.state === 'waiting')
  expect(last()?.retryInMs).toBe(0)
  world.time.pass(0)
  await world.server.next()
})

test('a quiet connection is sent a ping, and given up after 60 s', async () => {
  const peer = await follow(world.client())
  await until(() => peer.count('ping') === 5)
  await peer.settle()
  peer.answersPings = false
  world.time.pass(24_999)
  await peer.settle()
  expect(peer.count('ping')).toBe(5)
  world.time.pass(1)
  await peer.settle()
  expect(peer.count('ping')).toBe(6)
  world.time.pass(34_999)
  expect(last()?.state).toBe('live')
  world.time.pass(1)
  expect(last()).toMatchObject({ state: 'waiting', code: 1006 })
})

test('whatever comes shows that a connection lives', async () => {
  const client = world.client()
  const peer = await follow(client)
  await until(() => peer.count('ping') === 5)
  await peer.settle()
  for (let position = 1; position <= 5; position++) {
    world.time.pass(20_000)
    peer.send(event(name, `p${position}`, `p${position + 1}`, [{ op: 'replace', path: '/a', value: -position }]))
    await until(() => JSON.stringify(client.topic(name).value) === `{"a":${-position}}`)
  }
  expect(peer.count('ping')).toBe(5)
  expect(last()?.state).toBe('live')
})

test('a machine that slept asks whether the connection still lives before it gives it up', async () => {
  const client = world.client()
  const peer = await follow(client)
  await until(() => peer.count('ping') === 5)
  await peer.settle()
  // Timers fire late.
  world.time.time += 3_600_000
  world.time.pass(0)
  await until(() => peer.count('ping') === 6)
  await peer.settle()
  world.time.pass(10_000)
  expect(last()?.state).toBe('live')
  peer.answersPings = false
  world.time.time += 3_600_000
  world.time.pass(0)
  expect(last()?.state).toBe('live')
  world.time.pass(10_000)
  expect(last()?.state).toBe('waiting')
})

test('a handshake without a greeting is given up after 10 s', async () => {
  world.server.greets = false
  const client = world.client()
  client.topic(name).subscribe(() => {})
  const peer = await world.server.next()
  await peer.settle()
  expect(peer.packets).toEqual([])
  world.time.pass(10_000)
  expect(last()).toMatchObject({ state: 'waiting', code: 1006 })
})

test.each(['{', '[]', '1', 'null'])('after the message %s, which is no packet, it connects anew', async (text) => {
  const peer = await follow(world.client())
  peer.sendText(text)
  await until(() => last()?.state === 'waiting')
  expect(await peer.closed).toBe(1000)
})

test('packets of types that it does not know are passed over', async () => {
  const client = world.client()
  const peer = await follow(client)
  peer.send({ type: 'fireworks', topic: 'x', id: 'y' })
  peer.send(event(name, 'p1', 'p2', [{ op: 'replace', path: '/a', value: 2 }]))
  await until(() => JSON.stringify(client.topic(name).value) === '{"a":2}')
})

test('without anything to do, it connects once, and again when there is something', async () => {
  const client = world.client()
  const peer = await world.server.next()
  await until(() => last()?.state === 'live')
  peer.close(4007)
  await until(() => last()?.state === 'idle')
  expect(last()).toMatchObject({ code: 4007 })
  world.time.pass(100_000)
  expect(world.server.handshakes).toBe(1)
  await follow(client)
  expect(world.server.handshakes).toBe(2)
})

test('when the machine is back on a network, it does not wait any longer', async () => {
  const peer = await follow(world.client())
  world.time.goOnline()
  expect(world.server.handshakes).toBe(1)
  peer.cut()
  await until(() => last()?.state === 'waiting')
  world.time.goOnline()
  await world.server.next()
  world.time.pass(60_000)
  expect(world.server.handshakes).toBe(2)
})

test('it sends no faster than the service takes packets', async () => {
  world.server.greets = false
  const client = world.client()
  for (let index = 0; index < 30; index++) client.topic(`/tournaments/${index}`).subscribe(() => {})
  const peer = await world.server.next()
  // The limits of anonymous callers: a burst of 20, then 5 a second.
  const limits = { subscriptions: 20, packetBytes: 8_192, packetsPerSecond: 5, publishPerSecond: 0 }
  peer.hello({ limits })
  await peer.take('subscribe')
  await peer.settle()
  let sent = peer.packets.length
  expect(sent).toBeGreaterThan(10)
  expect(sent).toBeLessThanOrEqual(20)
  for (let second = 1; second <= 5; second++) {
    world.time.pass(1_000)
    await peer.settle()
    expect(peer.packets.length - sent).toBeLessThanOrEqual(5)
    sent = peer.packets.length
  }
  expect(peer.count('subscribe')).toBe(30)
})

test('what was closed is over', async () => {
  const client = world.client()
  const peer = await follow(client)
  const topic = client.topic(name)
  const waiting = client.command('matches.start', { params: { tournament: 'cup', match: '1' } })
  client.close()
  client.close()
  await expect(waiting).rejects.toMatchObject({ code: 'connection.closed' })
  expect(await peer.closed).toBe(1000)
  expect([topic.status, topic.value, topic.error?.code]).toEqual(['ended', { a: 1 }, 'connection.closed'])
  expect(world.statuses.filter(({ state }) => state === 'closed')).toHaveLength(1)
  expect(world.time.timers).toBe(0)
  client.publish(name, 'k', 1)
  await expect(client.command('notifications.read', { body: {} })).rejects.toMatchObject({ code: 'connection.closed' })
  world.time.pass(600_000)
  expect(world.server.handshakes).toBe(1)
})

test('an address that is none is a mistake of the caller', () => {
  expect(() => world.client({ url: 'nonsense' })).toThrow()
})
