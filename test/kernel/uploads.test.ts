import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/app.ts'
import type { CommandOperation } from '../../src/core/operation.ts'
import { type Caller, type Harness, startHarness } from '../harness.ts'
import { makeStreamServer } from '../streaming.ts'
import { addressOf, makeWorld, type World } from '../world.ts'
import { openWire, requestText, type Wire } from './raw.ts'
import { outcome } from './refusal.ts'

/**
 * Slow and large bodies for every operation with a body: others are served, and refused callers see the reason. (D72,
 * D81)
 */

const mib = 1024 * 1024

const commands = operations.filter((operation) => operation.kind === 'command')
const takesBody = ({ body, bodyType, parameters, method }: CommandOperation) =>
  method !== 'GET' && (body !== undefined || bodyType !== undefined || parameters !== undefined)
const uploads = commands.filter(({ bodyType = '' }) =>
  ['upload', 'jsonOrUpload', 'file', 'multipart', 'text'].includes(bodyType),
)

let api: Harness
/** A service in which a body counts as slow, and may be dropped for others, after a second. */
let hasty: Harness
let world: World
/** Three users who may do everything. */
let one: Caller
let other: Caller
let third: Caller
beforeAll(async () => {
  api = await startHarness()
  hasty = await api.sibling({ uploads: { slowAfterMs: 1_000 } })
  world = await makeWorld(api, { registered: true })
  one = world.owner
  other = await api.user({ globalRoles: ['role:owner'] })
  third = await api.user({ globalRoles: ['role:owner'] })
})
afterAll(async () => {
  await hasty[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

function typeOf({ bodyType, body, parameters }: CommandOperation): string {
  if (['upload', 'jsonOrUpload', 'multipart'].includes(bodyType ?? '')) return 'multipart/form-data; boundary=b'
  if (bodyType === 'text') return 'text/csv'
  if (bodyType === 'form' || (body === undefined && parameters !== undefined))
    return 'application/x-www-form-urlencoded'
  return 'application/json'
}

/** Operations that take files of up to 512 MiB. */
const packages: ReadonlySet<string> = new Set(['packages.import', 'rehearsals.create'])

/** A body that is too large is refused by the limit of this kind. */
const queries: Readonly<Record<string, string>> = { 'media.upload': '?kind=avatar' }

function headOf(operation: CommandOperation, length: number, as: Caller | null): string {
  const { name, root, method } = operation
  const address = addressOf(operation, world).replace(/^\/\//, '/')
  const lines = [
    `${method} ${root ? '' : '/api'}${address}${queries[name] ?? ''} HTTP/1.1`,
    ...['Host: localhost', `Origin: ${api.app.config.publicUrl}`],
    ...(as === null ? [] : [`Authorization: Bearer ${as.token}`]),
    ...[`Content-Type: ${typeOf(operation)}`, `Content-Length: ${length}`],
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

const start = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'

/** Starts a request and stops in the middle of its body. */
async function begin(operation: CommandOperation, as: Caller, { at = hasty, length = mib / 2 } = {}): Promise<Wire> {
  const wire = await openWire(at.url)
  wire.send(`${headOf(operation, length, as)}${start}`)
  return wire
}

/** A smaller JSON body does not count as an upload. */
const minJson = 64 * 1024 + 1

/** The response to a small invalid body. */
async function outcomeOf(operation: CommandOperation, as: Caller, at = hasty) {
  using wire = await openWire(at.url)
  const body = typeOf(operation) === 'application/json' ? 'x'.repeat(minJson) : 'x\r\n\r'
  wire.send(`${headOf(operation, body.length, as)}${body}`)
  return outcome(await wire.next())
}

const arriving = async (at = hasty) => {
  const { text } = await at.call('GET', '//metrics')
  return Number(/^http_uploads (\d+)$/m.exec(text)?.[1])
}
const arrive = (count: number, at = hasty) =>
  expect.poll(() => arriving(at), { interval: 20, timeout: 10_000 }).toBe(count)

const busy = [503, 'service.busy']

test('uploads are these', () => {
  expect(uploads.map(({ name }) => name).sort()).toEqual([
    ...[
      'badges.importRows',
      'imports.start',
      'media.setAvatar',
      'media.upload',
      'overlays.create',
      'packages.import',
      'rehearsals.create',
      'scenes.takePackage',
      'teams.import',
    ],
  ])
})

describe.each(uploads.map((operation) => [operation.name, operation] as const))('%s', (_, operation) => {
  test('is had by others while one account sends as many as it may, which give way once they are slow', async () => {
    const wires = await Promise.all(Array.from({ length: 4 }, () => begin(operation, one)))
    try {
      await arrive(4)
      const ends = wires.map((wire) => wire.next())
      // A body that has just begun is not slow.
      expect(await outcomeOf(operation, one)).toEqual(busy)
      expect((await outcomeOf(operation, other))[0]).not.toBe(503)
      await expect.poll(async () => (await outcomeOf(operation, one))[0], { timeout: 10_000 }).not.toBe(503)
      const reply = await Promise.race(ends)
      expect(outcome(reply)).toEqual(busy)
      expect(reply?.headers.get('retry-after')).toBe('1')
      expect(reply?.headers.get('connection')).toBe('close')
    } finally {
      for (const wire of wires) wire[Symbol.dispose]()
    }
    await arrive(0)
  })

  test('that is too large is answered, with a client that sends everything before it reads', async () => {
    for (const as of [one, other]) {
      using wire = await openWire(api.url)
      wire.socket.pause()
      wire.send(headOf(operation, packages.has(operation.name) ? 520 * mib : 80 * mib, as))
      wire.send(start)
      const chunk = Buffer.alloc(mib)
      for (let sent = 0; sent < 7; sent++) await new Promise((resolve) => wire.socket.write(chunk, resolve))
      wire.socket.resume()
      const reply = await wire.next()
      expect([reply?.status, reply?.headers.get('connection')]).toEqual([413, 'close'])
    }
    await arrive(0, api)
  })
})

test('an account, and all accounts at one address together, have so many at once, whatever they send', async () => {
  const wires = await Promise.all(
    [one, other].flatMap((as) =>
      [0, 1, 2, 3].map((index) => begin(uploads[index % uploads.length] as CommandOperation, as, { at: api })),
    ),
  )
  try {
    await arrive(8, api)
    for (const operation of uploads)
      expect([operation.name, await outcomeOf(operation, third, api)]).toEqual([operation.name, busy])
    // Other requests are still answered: a request with a small body, and the hook of a media server.
    expect((await api.post('/updateUserSettings', third, { grip: 'x' })).status).toBe(200)
    const { guid, secret } = await makeStreamServer(api, { kind: 'nginx-rtmp' })
    const hook = `${api.url}/api/streaming/hooks/${guid}?secret=${secret}`
    const asked = await Promise.all(
      Array.from({ length: 20 }, () => fetch(hook, { method: 'POST', body: 'call=play&name=x' })),
    )
    for (const { status } of asked) expect(status).toBe(403)
  } finally {
    for (const wire of wires) wire[Symbol.dispose]()
  }
  await arrive(0, api)
})

test('one that comes fast enough does not give way', async () => {
  const operation = uploads.find(({ name }) => name === 'overlays.create') as CommandOperation
  const fast = await begin(operation, one, { length: 16 * mib })
  const slow = await Promise.all([1, 2, 3].map(() => begin(operation, one)))
  const sending = setInterval(() => fast.send('x'.repeat(40_000)), 100)
  try {
    await arrive(4)
    const ends = slow.map((wire) => wire.next())
    const isCut = fast.next().then(() => true)
    for (let round = 0; round < 3; round++) {
      await expect.poll(async () => (await outcomeOf(operation, one))[0], { timeout: 10_000 }).not.toBe(503)
      // Each replaces one of the slow ones.
      slow.push(await begin(operation, one))
      await arrive(4)
    }
    for (const end of ends) expect(outcome(await end)).toEqual(busy)
    expect(await Promise.race([isCut, false])).toBe(false)
  } finally {
    clearInterval(sending)
    for (const wire of [fast, ...slow]) wire[Symbol.dispose]()
  }
  await arrive(0)
})

describe('a request that is refused before its body has come', () => {
  const bodies = commands.filter(takesBody)

  test('is answered, and its connection ends with that, whatever the operation', async () => {
    const chunk = Buffer.alloc(256 * 1024)
    for (const operation of bodies) {
      for (const as of [null, one]) {
        using wire = await openWire(api.url)
        wire.send(headOf(operation, 80 * mib, as))
        wire.send(chunk)
        const reply = await wire.next()
        const seen = [operation.name, (reply?.status ?? 0) >= 400, reply?.headers.get('connection')]
        expect(seen).toEqual([operation.name, true, 'close'])
      }
    }
  })

  const settings = commands.find(({ name }) => name === 'users.updateSettings') as CommandOperation

  /** A connection that its client keeps open, whatever the other side does. */
  async function refused(): Promise<{ readonly socket: Socket; readonly closed: Promise<number> }> {
    const { hostname, port } = new URL(api.url)
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(headOf(settings, 80 * mib, null))
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 4.*connection: close/is)
    const answeredAt = performance.now()
    const closed = new Promise<number>((end) => socket.on('close', () => end(performance.now() - answeredAt)))
    return { socket, closed }
  }

  test('is read on for two seconds, or for 8 MiB, and no longer', async () => {
    const [still, drip, much] = await Promise.all([refused(), refused(), refused()])
    const dripping = setInterval(() => drip.socket.write('x'), 100)
    const chunk = Buffer.alloc(mib)
    let taken = 0
    while (!much.socket.destroyed && taken < 80) {
      taken++
      if (!much.socket.write(chunk)) await Promise.race([once(much.socket, 'drain').catch(() => {}), much.closed])
    }
    // The buffers of the system at both ends of the connection are filled in addition to what the service reads.
    expect(taken).toBeGreaterThanOrEqual(8)
    expect(taken).toBeLessThan(8 + 16)
    // A client that neither reads nor writes gets no response, and notices the end at its next step.
    const writing = setInterval(() => still.socket.write('x'), 1_900)
    for (const { closed } of [still, drip, much]) {
      const ms = await closed
      expect(ms).toBeGreaterThan(1_500)
      expect(ms).toBeLessThan(10_000)
    }
    clearInterval(dripping)
    clearInterval(writing)
  })

  test('is not followed by another on its connection', async () => {
    using wire = await openWire(api.url)
    wire.send(headOf(settings, 2 * mib, null))
    const reply = await wire.next()
    expect([reply?.status, reply?.headers.get('connection')]).toEqual([400, 'close'])
    const next = requestText('GET /api/tournaments')
    wire.send(Buffer.concat([Buffer.alloc(2 * mib), Buffer.from(next + next)]))
    await wire.closed
    expect(await wire.next()).toBeNull()
  })
})
