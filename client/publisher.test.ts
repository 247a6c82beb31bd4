import { expect, test } from 'vitest'
import type { RealtimeError } from './connect.ts'
import type { Peer } from './test/server.ts'
import { setUp, until } from './test/setup.ts'

const world = setUp()
const topic = '/tournaments/cup/presence'

async function ready(): Promise<Peer> {
  const peer = await world.server.next()
  await until(() => peer.count('ping') === 5)
  return peer
}

test('of a key the newest value is sent, no more than 15 times a second', async () => {
  const client = world.client()
  const peer = await ready()
  const values: number[] = []
  for (let ms = 0; ms < 1_000; ms += 10) {
    client.publish(topic, 'connection', { ms })
    world.time.pass(10)
  }
  world.time.pass(100)
  await peer.settle()
  for (const packet of peer.packets) if (packet.type === 'publish') values.push(packet.value.ms)
  expect(values.length).toBeLessThanOrEqual(15 * 1.1)
  expect(values.length).toBeGreaterThan(10)
  expect([values[0], values.at(-1)]).toEqual([0, 990])
  expect(peer.packets.find(({ type }) => type === 'publish')).toEqual({
    type: 'publish',
    topic,
    key: 'connection',
    value: { ms: 0 },
    seq: world.time.time - 1_100,
    id: expect.any(Number),
  })
})

test('many keys share what a connection may publish, and each has its last value sent', async () => {
  const client = world.client()
  const peer = await ready()
  for (let ms = 0; ms < 3_000; ms += 50) {
    for (let player = 0; player < 8; player++) client.publish(topic, `player:${player}`, ms)
    world.time.pass(50)
  }
  world.time.pass(1_000)
  await peer.settle()
  const published = peer.packets.filter(({ type }) => type === 'publish')
  expect(published.length).toBeLessThanOrEqual(4 * 30)
  for (let player = 0; player < 8; player++) {
    expect(published.findLast(({ key }) => key === `player:${player}`).value).toBe(2_950)
  }
})

test('sequence numbers grow, whatever the clock does, over connections and runs of the program', async () => {
  const client = world.client()
  let peer = await ready()
  const seqs: number[] = []
  const publish = async () => {
    client.publish(topic, 'k', seqs.length)
    const { seq } = await peer.take('publish')
    seqs.push(seq)
    world.time.pass(100)
  }
  await publish()
  world.time.time -= 60_000
  await publish()
  client.topic(topic).subscribe(() => {})
  peer.cut()
  peer = await world.reconnected()
  await until(() => peer.count('ping') === 5)
  await publish()
  client.close()
  world.time.time += 60_000
  const other = world.client()
  peer = await world.server.next()
  other.publish(topic, 'k', 3)
  seqs.push((await peer.take('publish')).seq)
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
  expect(new Set(seqs).size).toBe(4)
})

test('a value waits for a connection as long as it tells something', async () => {
  world.server.blocks = true
  const client = world.client()
  client.publish(topic, 'old', 1)
  await until(() => world.statuses.at(-1)?.state === 'waiting')
  world.time.time += 16_000
  client.publish(topic, 'new', 1)
  client.publish(topic, 'new', 2)
  client.publish(topic, 'new', null)
  world.server.blocks = false
  const peer = await world.reconnected()
  await until(() => peer.count('ping') === 5)
  const published = peer.packets.filter(({ type }) => type === 'publish')
  expect(published.map(({ key, value }) => [key, value])).toEqual([['new', null]])
})

test('whoever publishes in vain is told', async () => {
  const errors: RealtimeError[] = []
  const client = world.client({ onError: (error) => errors.push(error) })
  const peer = await ready()
  client.publish(topic, 'k', 1)
  const { id } = await peer.take('publish')
  peer.send({ type: 'error', id, status: 404, code: 'topic.unknown', message: 'There is no such topic.' })
  client.publish(topic, 'large', 'x'.repeat(10_000))
  await until(() => errors.length === 2)
  expect(errors.map(({ code }) => code)).toEqual(['packet.too_large', 'topic.unknown'])
})
