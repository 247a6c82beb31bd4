import { expect, test } from 'vitest'
import type { RealtimeError } from './connect.ts'
import type { Peer } from './test/server.ts'
import { setUp, until } from './test/setup.ts'

const world = setUp()
const start = { params: { tournament: 'cup', match: '12' } }
const result = (id: number, more: object = {}) => ({ type: 'result', id, status: 200, body: { guid: 'm' }, ...more })
const last = () => world.statuses.at(-1)

function again(peer: Peer): Promise<Peer> {
  peer.cut()
  return world.reconnected()
}

test('a command is sent as it is given, and answered', async () => {
  const input = { ...start, query: { division: 'main' }, ifMatch: '"3"' }
  const running = world.client().command('matches.start', input, { key: 'k1' })
  const peer = await world.server.next()
  const packet = await peer.take('command')
  expect(packet).toEqual({ type: 'command', name: 'matches.start', ...input, key: 'k1', id: packet.id })
  peer.send(result(packet.id, { etag: '"4"', revision: 4, replayed: true, behind: true }))
  const answer = { status: 200, body: { guid: 'm' }, etag: '"4"', revision: 4, replayed: true, behind: true }
  expect(await running).toEqual(answer)
})

test('a refusal is that of REST', async () => {
  const running = world.client().command('matches.start', start)
  const peer = await world.server.next()
  const { id } = await peer.take('command')
  const more = { data: { match: { guid: 'm' } }, retryAfterMs: 5 }
  peer.send({ type: 'error', id, status: 409, code: 'match.running', message: 'The match is running.', ...more })
  const error = (await running.catch((reason) => reason)) as RealtimeError
  expect(error).toBeInstanceOf(Error)
  expect({ ...error, message: error.message }).toEqual({
    name: 'RealtimeError',
    status: 409,
    code: 'match.running',
    message: 'The match is running.',
    ...more,
  })
})

test('a keyed command whose answer was lost is repeated; one without a key is not', async () => {
  const client = world.client()
  const keyed = client.command('matches.start', start, { key: 'k1' })
  const plain = expect(client.command('matches.start', start)).rejects
  const lost = plain.toMatchObject({ code: 'connection.lost', status: 0 })
  const peer = await world.server.next()
  await peer.take('command')
  await peer.take('command')
  const other = await again(peer)
  await lost
  const packet = await other.take('command')
  expect(packet.key).toBe('k1')
  other.send(result(packet.id, { replayed: true }))
  expect(await keyed).toMatchObject({ replayed: true })
  // Sent once for each lost connection, and not again after its answer.
  client.topic('/tournaments/cup').subscribe(() => {})
  const third = await again(other)
  await third.take('subscribe')
  await third.settle()
  expect([other.count('command'), third.count('command')]).toEqual([1, 0])
})

test('what never left is sent by the next connection, with a key or without', async () => {
  world.server.blocks = true
  const client = world.client()
  const running = client.command('matches.start', start)
  await until(() => last()?.state === 'waiting')
  world.server.blocks = false
  world.time.pass(500)
  const peer = await world.server.next()
  peer.send(result((await peer.take('command')).id))
  expect(await running).toMatchObject({ status: 200, replayed: false, behind: false })
})

test('commands leave in their order, 16 at once', async () => {
  const client = world.client()
  const running = Array.from({ length: 40 }, (_, index) =>
    client.command('matches.start', { params: { tournament: 'cup', match: String(index) } }, { key: `k${index}` }),
  )
  const peer = await world.server.next()
  await peer.take('command')
  await peer.settle()
  expect(peer.count('command')).toBe(16)
  const other = await again(peer)
  for (let index = 0; index < 40; index++) {
    const packet = await other.take('command')
    expect(packet.params.match).toBe(String(index))
    expect(other.count('command')).toBeLessThanOrEqual(index + 16)
    other.send(result(packet.id, { status: 200, body: index }))
  }
  expect((await Promise.all(running)).map(({ body }) => body)).toEqual(Array.from({ length: 40 }, (_, index) => index))
})

test('who gives up is not waited for, and the command is not repeated', async () => {
  const client = world.client()
  const giving = new AbortController()
  const running = client.command('matches.start', start, { key: 'k1', signal: giving.signal })
  const peer = await world.server.next()
  await peer.take('command')
  giving.abort(new Error('too late'))
  await expect(running).rejects.toThrow('too late')
  client.topic('/tournaments/cup').subscribe(() => {})
  const other = await again(peer)
  await other.take('subscribe')
  await other.settle()
  expect(other.count('command')).toBe(0)
  const none = client.command('matches.start', start, { signal: AbortSignal.abort(new Error('before it began')) })
  await expect(none).rejects.toThrow('before it began')
})

test('a key is of one user: another does not repeat the command', async () => {
  const users = ['u1', 'u1', 'u2']
  const client = world.client({ token: async () => 't' })
  const running = client.command('matches.start', start, { key: 'k1' })
  running.catch(() => {})
  let peer = await world.server.next()
  for (const guid of users) {
    const { id } = await peer.take('authenticate')
    peer.send({ type: 'authenticated', id, user: { guid }, scopes: [], expiresAt: null })
    if (guid === 'u2') break
    await peer.take('command')
    peer = await again(peer)
  }
  await expect(running).rejects.toMatchObject({ code: 'connection.lost' })
  await peer.settle()
  expect(peer.count('command')).toBe(0)
})

test('what the service would not take is not sent: it would close the connection', async () => {
  const client = world.client()
  const text = 'ü'.repeat(4_096)
  const running = client.command('updates.publish', {
    params: { tournament: 'cup' },
    body: { guid: 'x', content: text },
  })
  await expect(running).rejects.toMatchObject({ code: 'packet.too_large' })
  const peer = await world.server.next()
  await peer.settle()
  expect(peer.count('command')).toBe(0)
})
