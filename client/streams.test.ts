import { expect, test } from 'vitest'
import type { Client, Options } from './connect.ts'
import { EventParser } from './sse.ts'
import type { StreamPeer } from './test/server.ts'
import { event, fact, recorder, setUp, snapshot, until } from './test/setup.ts'

const world = setUp()
const name = '/tournaments/cup'
const last = () => world.statuses.at(-1)

/** A client in a network that blocks sockets, which therefore uses a stream. */
async function blocked(begin: (client: Client) => void, options: Partial<Options> = {}): Promise<Client> {
  world.server.blocks = true
  const client = world.client({ apiUrl: world.server.apiUrl, ...options })
  begin(client)
  for (let handshake = 1; handshake <= 3; handshake++) {
    await until(() => last()?.state === 'waiting')
    world.time.pass(last()?.retryInMs ?? 0)
  }
  world.time.pass(20)
  return client
}

const follow =
  (...names: readonly string[]) =>
  (client: Client) => {
    for (const each of names) client.topic(each).subscribe(() => {})
  }

/** Lets the client open its next stream. */
async function nextStream(): Promise<StreamPeer> {
  if (last()?.state === 'waiting') world.time.pass(last()?.retryInMs ?? 0)
  world.time.pass(20)
  return world.server.nextStream()
}

/** Lets time pass while comments keep the stream alive. */
async function pass(stream: StreamPeer, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50_000) {
    world.time.pass(Math.min(50_000, ms - passed))
    stream.write(':\n\n')
    await until(() => world.time.isDueIn(60_000))
  }
}

test('after three handshakes that failed it follows by a stream, and after 5 minutes by the socket again', async () => {
  const client = await blocked(follow(name))
  const topic = client.topic(name)
  const stream = await world.server.nextStream()
  expect(world.server.handshakes).toBe(3)
  expect([stream.topics, stream.accept, stream.authorization]).toEqual([[name], 'text/event-stream', undefined])
  expect([...stream.query.keys()]).toEqual(['topic'])
  stream.send(snapshot(name, 'p1', { a: 1 }), 's1')
  await until(() => topic.status === 'live')
  expect(last()).toEqual({ state: 'live', door: 'stream' })
  const value = topic.value
  stream.send(event(name, 'p1', 'p2', [{ op: 'add', path: '/b', value: 2 }]), 's2')
  await until(() => JSON.stringify(topic.value) === '{"a":1,"b":2}')
  // Sockets are still blocked, so the stream continues.
  await pass(stream, 299_000)
  expect(world.server.handshakes).toBe(3)
  world.time.pass(1_000)
  await until(() => world.server.handshakes === 4 && world.time.isDueIn(300_000))
  stream.send(event(name, 'p2', 'p3', [{ op: 'replace', path: '/a', value: 3 }]), 's3')
  await until(() => JSON.stringify(topic.value) === '{"a":3,"b":2}')
  expect(last()?.door).toBe('stream')
  world.server.blocks = false
  await pass(stream, 299_000)
  world.time.pass(1_000)
  const peer = await world.server.next()
  const asked = await peer.take('subscribe')
  expect(asked).toMatchObject({ topic: name, since: 'p3', etag: '"p3"' })
  peer.send({ type: 'resumed', id: asked.id, topic: name, position: 'p3', etag: '"p3"' })
  await until(() => topic.status === 'live')
  expect(last()).toEqual({ state: 'live', door: 'socket', user: null })
  await until(() => stream.isClosed)
  expect(topic.value).not.toBe(value)
  expect(world.server.streams).toHaveLength(1)
})

test('without an address for streams it goes on trying the socket', async () => {
  world.server.blocks = true
  follow(name)(world.client())
  for (let handshake = 1; handshake <= 6; handshake++) {
    await until(() => world.server.handshakes === handshake && last()?.state === 'waiting')
    world.time.pass(last()?.retryInMs ?? 0)
  }
  expect(world.server.streams).toEqual([])
})

test('a step counts when its last packet is there; one that broke off comes again', async () => {
  const client = await blocked(follow(name, '/tournaments/other'))
  const [one, other] = [client.topic(name), client.topic('/tournaments/other')]
  const stream = await world.server.nextStream()
  stream.send(snapshot(name, 'p1', { a: 1 }))
  stream.send(snapshot('/tournaments/other', 'q1', { b: 1 }), 's1')
  await until(() => other.status === 'live')
  stream.send(event(name, 'p1', 'p2', [{ op: 'replace', path: '/a', value: 2 }]))
  stream.end()
  await until(() => last()?.state === 'waiting')
  expect([one.value, one.status]).toEqual([{ a: 1 }, 'behind'])
  const again = await nextStream()
  expect([again.topics, again.query.get('since')]).toEqual([[name, '/tournaments/other'], 's1'])
  again.send({ type: 'resumed', topic: name, position: 'p1', etag: '"p1"' })
  again.send({ type: 'resumed', topic: '/tournaments/other', position: 'q1', etag: '"q1"' }, 's1')
  again.send(event(name, 'p1', 'p2', [{ op: 'replace', path: '/a', value: 2 }]))
  again.send(event('/tournaments/other', 'q1', 'q2', [{ op: 'replace', path: '/b', value: 2 }]), 's2')
  await until(() => JSON.stringify([one.value, other.value]) === '[{"a":2},{"b":2}]')
})

test('after a gap it asks for the whole', async () => {
  const { changes, listener } = recorder()
  const client = await blocked((fresh) => fresh.topic(name, { facts: true }).subscribe(listener))
  const topic = client.topic(name, { facts: true })
  const stream = await world.server.nextStream()
  expect(stream.query.get('facts')).toBe('true')
  stream.send(snapshot(`${name}?facts=1`, 'p1', { a: 1 }), 's1')
  stream.send(event(`${name}?facts=1`, 'p1', 'p2', [], { facts: [fact('1')] }), 's2')
  stream.send(event(`${name}?facts=1`, 'p7', 'p8', []), 's3')
  await until(() => topic.status === 'behind')
  const again = await nextStream()
  expect(again.query.has('since')).toBe(false)
  again.send(snapshot(`${name}?facts=1`, 'p8', { a: 8 }), 's4')
  await until(() => topic.status === 'live')
  expect([topic.value, topic.facts.map(({ id }) => id)]).toEqual([{ a: 8 }, ['1']])
  expect(changes.at(-1)?.resync).toEqual({ reason: 'unknown' })
  await until(() => stream.isClosed)
})

test('topics that come later have a stream of their own, up to three; then they share', async () => {
  const client = await blocked(follow('/tournaments/0'))
  const streams = [await world.server.nextStream()]
  for (let index = 1; index <= 3; index++) {
    client.topic(`/tournaments/${index}`).subscribe(() => {})
    streams.push(await nextStream())
  }
  expect(streams.map(({ topics }) => topics)).toEqual([
    ['/tournaments/0'],
    ['/tournaments/1'],
    ['/tournaments/2'],
    ['/tournaments/2', '/tournaments/3'],
  ])
  await until(() => streams[2]?.isClosed === true)
})

test('of many topics 20 share a stream, delayed ones among themselves', async () => {
  await blocked((client) => {
    for (let index = 0; index < 25; index++) client.topic(`/tournaments/${index}`).subscribe(() => {})
    client.topic('/tournaments/late', { delayed: true }).subscribe(() => {})
    client.live('/tournaments/0/matches/1/live', { rate: 2 }).subscribe(() => {})
  })
  const streams = [await nextStream(), await nextStream(), await nextStream()]
  const asked = streams.map(({ topics, query }) => [topics.length, query.get('delayed'), query.get('rate')])
  expect(asked.sort()).toEqual([
    [1, 'true', null],
    [20, null, null],
    [6, null, '2'],
  ])
})

test('a topic that nobody wants any more leaves its stream, and the last one ends it', async () => {
  const stops: (() => void)[] = []
  const client = await blocked((fresh) => {
    for (const each of [name, '/tournaments/other']) stops.push(fresh.topic(each).subscribe(() => {}))
  })
  const stream = await world.server.nextStream()
  stream.send(snapshot(name, 'p1', {}))
  stream.send(snapshot('/tournaments/other', 'q1', {}), 's1')
  await until(() => client.topic(name).status === 'live')
  stops[0]?.()
  world.time.pass(5_000)
  stream.send(event('/tournaments/other', 'q1', 'q2', [{ op: 'add', path: '/a', value: 1 }]), 's2')
  await until(() => JSON.stringify(client.topic('/tournaments/other').value) === '{"a":1}')
  expect(stream.isClosed).toBe(false)
  stops[1]?.()
  world.time.pass(5_000)
  await until(() => stream.isClosed)
})

test('ephemeral values count at once', async () => {
  const live = `${name}/live`
  const client = await blocked((client) => client.live(live).subscribe(() => {}))
  const stream = await world.server.nextStream()
  stream.send({ type: 'state', topic: live, states: { session: 1 }, gone: [], full: true })
  await until(() => client.live(live).status === 'live')
  expect(client.live(live).value).toEqual({ session: 1 })
})

test('a topic that ends, ends; the others go on', async () => {
  const client = await blocked(follow(name, '/tournaments/other'))
  const stream = await world.server.nextStream()
  stream.send(snapshot(name, 'p1', {}))
  stream.send(snapshot('/tournaments/other', 'q1', {}), 's1')
  stream.send({ type: 'ended', topic: name, reason: 'gone' }, 's2')
  await until(() => client.topic(name).status === 'ended')
  expect(client.topic('/tournaments/other').status).toBe('live')
  stream.send({ type: 'closing', code: 4000, reason: 'restart' })
  await until(() => last()?.state === 'waiting')
  expect(last()).toMatchObject({ code: 4000, reason: 'restart' })
  expect((await nextStream()).topics).toEqual(['/tournaments/other'])
})

test('a stream whose topics have all ended is no connection that broke', async () => {
  const client = await blocked(follow(name))
  const stream = await world.server.nextStream()
  stream.send(snapshot(name, 'p1', {}), 's1')
  await until(() => client.topic(name).status === 'live')
  stream.send({ type: 'ended', topic: name, reason: 'gone' }, 's2')
  stream.end()
  await until(() => client.topic(name).status === 'ended')
  client.topic('/tournaments/other').subscribe(() => {})
  expect((await nextStream()).topics).toEqual(['/tournaments/other'])
  expect(last()).toEqual({ state: 'live', door: 'stream' })
})

test('of several topics the one that cannot be followed is found', async () => {
  const client = await blocked(follow(name, '/tournaments/none', '/tournaments/other'))
  ;(await world.server.nextStream()).refuse(404, 'topic.unknown')
  for (const each of [name, '/tournaments/none', '/tournaments/other']) {
    const question = await world.server.nextStream()
    expect([question.topics, question.query.get('wait'), question.accept]).toEqual([
      [each],
      '0',
      'application/x-ndjson',
    ])
    if (each === '/tournaments/none') question.refuse(404, 'topic.unknown')
    else question.send({ type: 'snapshot' })
  }
  await until(() => client.topic('/tournaments/none').status === 'ended')
  expect(client.topic('/tournaments/none').error).toMatchObject({ status: 404, code: 'topic.unknown' })
  await until(() => world.time.isDueIn(20))
  expect((await nextStream()).topics).toEqual([name, '/tournaments/other'])
})

test('the token goes in a header, and one that is refused is asked for anew', async () => {
  const given = ['t1', 'Bearer t2', 't3']
  const token = async () => given.shift() ?? null
  await blocked(follow(name), { token })
  const first = await world.server.nextStream()
  expect(first.authorization).toBe('Bearer t1')
  first.refuse(401, 'token.expired')
  const second = await world.server.nextStream()
  expect(second.authorization).toBe('Bearer t2')
  second.refuse(401, 'token.expired')
  const third = await world.server.nextStream()
  expect(third.authorization).toBeUndefined()
  third.send(snapshot(name, 'p1', {}), 's1')
  await until(() => last()?.state === 'live')
  third.send({ type: 'closing', code: 4101, reason: 'revoked' })
  await until(() => last()?.state === 'waiting')
  expect((await nextStream()).authorization).toBe('Bearer t3')
})

test('a stream may refuse for good', async () => {
  const client = await blocked(follow(name))
  const stream = await world.server.nextStream()
  stream.send({ type: 'closing', code: 4206, reason: 'banned' })
  await until(() => last()?.state === 'closed')
  expect([last()?.code, client.topic(name).status]).toEqual([4206, 'ended'])
  expect(world.time.timers).toBe(0)
})

test('where streams do not work either, both are tried in turn, with the waits that the service asks for', async () => {
  await blocked(follow(name))
  ;(await world.server.nextStream()).refuse(503, 'service.unavailable', { 'retry-after': '7' })
  await until(() => last()?.state === 'waiting')
  expect(last()?.retryInMs).toBe(7_000)
  world.time.pass(7_000)
  await until(() => world.server.handshakes === 4 && last()?.state === 'waiting')
  await nextStream()
})

test('a silent stream is given up after 60 s', async () => {
  await blocked(follow(name))
  const stream = await world.server.nextStream()
  stream.send(snapshot(name, 'p1', {}), 's1')
  await until(() => last()?.state === 'live')
  world.time.pass(59_999)
  expect(last()?.state).toBe('live')
  world.time.pass(1)
  await until(() => last()?.state === 'waiting')
})

test('a stream takes no commands: they are refused, not kept', async () => {
  const start = { params: { tournament: 'cup', match: '1' } }
  const early: Promise<unknown>[] = []
  const client = await blocked((client) => {
    follow(name)(client)
    early.push(expect(client.command('matches.start', start)).rejects.toMatchObject({ code: 'connection.stream' }))
  })
  const stream = await world.server.nextStream()
  stream.send(snapshot(name, 'p1', {}), 's1')
  await Promise.all(early)
  await expect(client.command('matches.start', start)).rejects.toMatchObject({ code: 'connection.stream' })
  // The next connection may accept it.
  stream.end()
  await until(() => last()?.state === 'waiting')
  const late = client.command('matches.start', start)
  client.close()
  await expect(late).rejects.toMatchObject({ code: 'connection.closed' })
})

test.each([
  ['data: a\n\n', [{ id: undefined, data: 'a' }]],
  ['data:a\nid:1\n\n', [{ id: '1', data: 'a' }]],
  ['id: 1\r\nevent: x\r\ndata: a\r\ndata: b\r\n\r\n', [{ id: '1', data: 'a\nb' }]],
  [': keep-alive\n\n\n\n', []],
  [
    'data: a\n\ndata: b\n\n',
    [
      { id: undefined, data: 'a' },
      { id: undefined, data: 'b' },
    ],
  ],
  ['data: unfinished\n', []],
])('the stream %j has the events %j', (text, events) => {
  expect(new EventParser().push(text)).toEqual(events)
  const parser = new EventParser()
  expect([...text].flatMap((character) => parser.push(character))).toEqual(events)
})
