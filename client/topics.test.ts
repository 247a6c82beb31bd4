import { expect, test } from 'vitest'
import type { Change } from './connect.ts'
import type { Peer } from './test/server.ts'
import { event, fact, recorder, setUp, snapshot, until } from './test/setup.ts'
import { plainName } from './topics.ts'

const world = setUp()
const name = '/tournaments/cup/matches'
const body = { matches: [{ guid: 'a', score: [0, 0] }, { guid: 'b' }], nextCursor: null }

interface Body {
  readonly matches: readonly { readonly guid: string; readonly score?: readonly number[] }[]
}

async function answer(peer: Peer, packet: object): Promise<{ readonly [member: string]: unknown }> {
  const asked = await peer.take('subscribe')
  peer.send({ ...packet, id: asked.id })
  return asked
}

test('a topic is its snapshot, and then what patches make of it; what they do not touch stays the same object', async () => {
  const topic = world.client().topic(name)
  const { changes, listener } = recorder()
  topic.subscribe(listener)
  expect([topic.value, topic.status]).toEqual([undefined, 'connecting'])
  const peer = await world.server.next()
  const asked = await answer(peer, snapshot(name, 'p1', body))
  expect(asked).toEqual({ type: 'subscribe', topic: name, id: expect.any(Number) })
  await until(() => changes.length === 1)
  expect([topic.value, topic.status]).toEqual([body, 'live'])
  const first = topic.value as Body
  peer.send(event(name, 'p1', 'p2', [{ op: 'replace', path: '/matches/0/score', value: [1, 0] }]))
  await until(() => changes.length === 2)
  const second = topic.value as Body
  expect(second.matches[0]).toEqual({ guid: 'a', score: [1, 0] })
  expect(second.matches[1]).toBe(first.matches[1])
  expect(first).toEqual(body)
  // A change that is too long for a patch comes as a snapshot.
  peer.send(snapshot(name, 'p3', { ...body, matches: [...body.matches, { guid: 'c' }] }))
  await until(() => changes.length === 3)
  expect((topic.value as Body).matches[1]).toBe(first.matches[1])
  expect(changes.map(({ status }) => status)).toEqual(['live', 'live', 'live'])
})

test('after packets that are missing, the topic goes on from where it stands', async () => {
  const topic = world.client().topic(name)
  topic.subscribe(() => {})
  const peer = await world.server.next()
  await answer(peer, snapshot(name, 'p1', { a: 1 }))
  peer.send(event(name, 'p2', 'p3', [{ op: 'add', path: '/c', value: 3 }]))
  const asked = await peer.take('subscribe')
  expect(asked).toMatchObject({ topic: name, since: 'p1', etag: '"p1"', replace: true })
  expect([topic.value, topic.status]).toEqual([{ a: 1 }, 'behind'])
  // This packet belongs to the previous subscription.
  peer.send(event(name, 'p3', 'p4', [{ op: 'add', path: '/d', value: 4 }]))
  peer.send({ type: 'resumed', id: asked.id, topic: name, position: 'p1', etag: '"p1"' })
  peer.send(event(name, 'p1', 'p4', [{ op: 'add', path: '/all', value: true }]))
  await until(() => JSON.stringify(topic.value) === '{"a":1,"all":true}')
  expect(topic.status).toBe('live')
  expect(peer.count('subscribe')).toBe(2)
})

test('after a patch that does not fit, the topic is asked for as a whole', async () => {
  const topic = world.client().topic(name, { facts: true })
  const { changes, listener } = recorder()
  topic.subscribe(listener)
  const peer = await world.server.next()
  await answer(peer, snapshot(`${name}?facts=1`, 'p1', { a: 1 }))
  peer.send(event(`${name}?facts=1`, 'p1', 'p2', [{ op: 'remove', path: '/b' }]))
  const asked = await answer(peer, snapshot(`${name}?facts=1`, 'p2', { a: 2 }))
  expect(asked).toEqual({ type: 'subscribe', topic: name, facts: true, replace: true, id: expect.any(Number) })
  await until(() => topic.status === 'live')
  expect(topic.value).toEqual({ a: 2 })
  // Without a position the service could not send the facts since then.
  expect(changes.at(-1)?.resync).toEqual({ reason: 'unknown' })
})

test('facts come once, whatever is told again', async () => {
  const topic = world.client().topic(name, { facts: true })
  const { changes, listener } = recorder()
  topic.subscribe(listener)
  const peer = await world.server.next()
  const canonical = `${name}?facts=1`
  expect(await answer(peer, snapshot(canonical, 'p1', {}))).toMatchObject({ facts: true })
  peer.send(event(canonical, 'p1', 'p2', [], { facts: [fact('1'), fact('2')] }))
  await until(() => topic.facts.length === 2)
  peer.cut()
  await until(() => topic.status === 'behind')
  const again = await world.reconnected()
  const resync = { reason: 'too_many' }
  expect(await answer(again, snapshot(canonical, 'p4', {}, { facts: [fact('2'), fact('3')], resync }))).toMatchObject({
    since: 'p2',
    etag: '"p2"',
    facts: true,
  })
  await until(() => topic.facts.length === 3)
  expect(topic.facts.map(({ id }) => id)).toEqual(['1', '2', '3'])
  expect(changes.map(({ facts }) => facts.map(({ id }) => id))).toEqual([[], ['1', '2'], [], ['3']])
  expect(changes.at(-1)?.resync).toEqual(resync)
})

test('there is one socket and one subscription however many subscribe, and none 5 s after the last', async () => {
  const client = world.client()
  const { changes, listener } = recorder()
  const stops = [client.topic(name), client.topic(`${name}`)].map((topic) => topic.subscribe(() => {}))
  const peer = await world.server.next()
  await answer(peer, snapshot(name, 'p1', { a: 1 }))
  await until(() => client.topic(name).status === 'live')
  // A listener that joins later gets the current value.
  stops.push(client.topic(name).subscribe(listener))
  await until(() => changes.length === 1)
  expect(changes[0]).toEqual({ value: { a: 1 }, status: 'live', facts: [] })
  for (const stop of [...stops, ...stops]) stop()
  world.time.pass(4_999)
  await peer.settle()
  expect(peer.count('unsubscribe')).toBe(0)
  // Another subscriber comes in time.
  const stop = client.topic(name).subscribe(() => {})
  world.time.pass(20_000)
  expect(client.topic(name).status).toBe('live')
  stop()
  world.time.pass(5_000)
  expect(await peer.take('unsubscribe')).toMatchObject({ topic: name })
  peer.send({ type: 'ended', topic: name, reason: 'unsubscribed' })
  expect([client.topic(name).value, client.topic(name).status]).toEqual([undefined, 'connecting'])
  // Another subscriber comes too late.
  client.topic(name).subscribe(() => {})
  expect(await answer(peer, snapshot(name, 'p1', { a: 1 }))).not.toHaveProperty('since')
  await until(() => client.topic(name).status === 'live')
  expect([world.server.peers.length, peer.count('subscribe')]).toEqual([1, 2])
})

test('a topic that nobody wants before its answer comes is unsubscribed by the name of the answer', async () => {
  const client = world.client()
  const stop = client.topic(name, { facts: true }).subscribe(() => {})
  const peer = await world.server.next()
  const asked = await peer.take('subscribe')
  stop()
  world.time.pass(5_000)
  peer.send(snapshot(`${name}?facts=1`, 'p1', {}, { id: asked.id }))
  expect(await peer.take('unsubscribe')).toMatchObject({ topic: `${name}?facts=1` })
})

test.each([
  ['gone', undefined],
  ['forbidden', undefined],
  // The value may still be shown.
  ['too_large', { a: 1 }],
])('a topic that is ended as %s', async (reason, value) => {
  const topic = world.client().topic(name)
  const { changes, listener } = recorder()
  topic.subscribe(listener)
  const peer = await world.server.next()
  await answer(peer, snapshot(name, 'p1', { a: 1 }))
  peer.send({ type: 'ended', topic: name, reason })
  await until(() => topic.status === 'ended')
  expect(changes.at(-1)).toMatchObject({ status: 'ended', error: { code: `topic.${reason}`, status: 0 } })
  expect(topic.value).toEqual(value)
  peer.send(event(name, 'p1', 'p2', []))
  await peer.settle()
  // It is not requested again without a new subscription.
  peer.cut()
  await until(() => world.statuses.at(-1)?.state === 'idle')
  expect(topic.status).toBe('ended')
  topic.subscribe(() => {})
  const again = await world.server.next()
  await answer(again, snapshot(name, 'p5', { a: 5 }))
  await until(() => topic.status === 'live')
  expect([topic.value, topic.error]).toEqual([{ a: 5 }, undefined])
})

test('a topic that is refused ends; one that cannot be served now is asked for again', async () => {
  const client = world.client()
  const [refused, late] = [client.topic('/tournaments/none'), client.topic(name)]
  refused.subscribe(() => {})
  late.subscribe(() => {})
  const peer = await world.server.next()
  const error = { type: 'error', status: 404, code: 'topic.unknown', message: 'There is no such topic.' }
  await answer(peer, error)
  await answer(peer, { ...error, status: 429, code: 'subscriptions.limit', retryAfterMs: 700 })
  await until(() => late.error !== undefined)
  expect([refused.status, refused.error?.code]).toEqual(['ended', 'topic.unknown'])
  expect([late.status, late.error?.code]).toEqual(['connecting', 'subscriptions.limit'])
  world.time.pass(699)
  await peer.settle()
  expect(peer.count('subscribe')).toBe(2)
  world.time.pass(1)
  await answer(peer, snapshot(name, 'p1', {}))
  await until(() => late.status === 'live')
  expect(late.error).toBeUndefined()
})

test('where there are too many topics, those that nobody needs are given up at once', async () => {
  const client = world.client()
  const stop = client.topic('/tournaments/old').subscribe(() => {})
  const peer = await world.server.next()
  await answer(peer, snapshot('/tournaments/old', 'p1', {}))
  await until(() => client.topic('/tournaments/old').status === 'live')
  stop()
  client.topic(name).subscribe(() => {})
  await answer(peer, { type: 'error', status: 429, code: 'subscriptions.limit', message: 'Too many.' })
  expect(await peer.take('unsubscribe')).toMatchObject({ topic: '/tournaments/old' })
  world.time.pass(5_000)
  await answer(peer, snapshot(name, 'p1', {}))
  await until(() => client.topic(name).status === 'live')
})

test('two names of ours may be one topic to the service', async () => {
  const client = world.client()
  const [one, other] = [client.topic('/tournaments/cup'), client.topic('/tournaments/cup2')]
  const stop = one.subscribe(() => {})
  other.subscribe(() => {})
  const peer = await world.server.next()
  await answer(peer, snapshot('/tournaments/same', 'p1', { a: 1 }))
  await answer(peer, { type: 'error', status: 409, code: 'topic.subscribed', message: 'It is followed already.' })
  expect(await answer(peer, snapshot('/tournaments/same', 'p1', { a: 1 }))).toMatchObject({ replace: true })
  peer.send(event('/tournaments/same', 'p1', 'p2', [{ op: 'replace', path: '/a', value: 2 }]))
  await until(() => [one, other].every(({ value }) => JSON.stringify(value) === '{"a":2}'))
  stop()
  world.time.pass(5_000)
  await peer.settle()
  expect(peer.count('unsubscribe')).toBe(0)
})

test('ephemeral topics have the newest value of each key, and the same objects for what does not change', async () => {
  const topic = world.client().live<{ readonly combo: number }>(`${name}/a/live`, { rate: 2 })
  topic.subscribe(() => {})
  const peer = await world.server.next()
  const canonical = `${name}/a/live?rate=2`
  const state = (states: object, more: object = {}) => ({ type: 'state', topic: canonical, states, gone: [], ...more })
  const asked = await answer(peer, state({ 'player:1': { combo: 1 }, 'player:2': { combo: 2 } }, { full: true }))
  expect(asked).toEqual({ type: 'subscribe', topic: `${name}/a/live`, rate: 2, id: expect.any(Number) })
  await until(() => topic.status === 'live')
  const first = topic.value
  peer.send(state({ 'player:1': { combo: 7 } }))
  await until(() => topic.value?.['player:1']?.combo === 7)
  expect(topic.value?.['player:2']).toBe(first?.['player:2'])
  peer.send(state({}, { gone: ['player:2'] }))
  await until(() => topic.value?.['player:2'] === undefined)
  expect(topic.value).toEqual({ 'player:1': { combo: 7 } })
  peer.cut()
  await until(() => topic.status === 'behind')
  expect(topic.value).toEqual({ 'player:1': { combo: 7 } })
  const again = await world.reconnected()
  expect(await answer(again, state({ session: { combo: 0 } }, { full: true }))).not.toHaveProperty('since')
  await until(() => topic.status === 'live')
  expect(topic.value).toEqual({ session: { combo: 0 } })
})

test('a delayed topic says by how much', async () => {
  const topic = world.client().topic(name, { delayed: true })
  topic.subscribe(() => {})
  const peer = await world.server.next()
  const asked = await answer(peer, snapshot(`${name}?delayed=1`, 'p1', {}, { delayedBy: 90 }))
  expect(asked).toMatchObject({ delayed: true })
  await until(() => topic.status === 'live')
  expect(topic.delayedBy).toBe(90)
})

test('listeners are told of news alone, and one that fails disturbs nobody', async () => {
  const topic = world.client().topic(name)
  const failures: unknown[] = []
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.once('uncaughtException', (error) => failures.push(error))
  try {
    const { changes, listener } = recorder()
    topic.subscribe((change: Change<unknown>) => {
      if (change.status === 'live' && failures.length === 0) throw new Error('a mistake of the page')
    })
    topic.subscribe(listener)
    const peer = await world.server.next()
    await answer(peer, snapshot(name, 'p1', { a: 1 }))
    await until(() => failures.length === 1)
    // Equal to the current value: only the position is new.
    peer.send(event(name, 'p1', 'p2', []))
    peer.send(event(name, 'p2', 'p3', [{ op: 'replace', path: '/a', value: 2 }]))
    await until(() => changes.length === 2)
    expect(changes.map(({ value }) => value)).toEqual([{ a: 1 }, { a: 2 }])
  } finally {
    for (const each of listeners) process.on('uncaughtException', each)
  }
})

test.each([
  ['/tournaments/Cup', '/tournaments/Cup'],
  ['/tournaments/3F0C2C9E-5d1b-4c58-9a53-6d3b9c1f7a42?facts=1', '/tournaments/3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42'],
  [
    '/tournaments/cup/matches?status=live&division=1&rate=2&delayed=1',
    '/tournaments/cup/matches?division=1&status=live',
  ],
  ['/users/%40me/notifications', '/users/@me/notifications'],
  ['/tournaments/a%20b', '/tournaments/a%20b'],
  ['/tournaments/a b', '/tournaments/a%20b'],
  ['/tournaments/%', '/tournaments/%'],
])('the name %s is, in one spelling and without options, %s', (given, plain) => {
  expect(plainName(given)).toBe(plain)
})
