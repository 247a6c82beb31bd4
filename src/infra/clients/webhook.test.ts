import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FakeReceiver, startFakeReceiver } from '../../../test/fakes/receiver.ts'
import { isPublicAddress } from '../../core/network.ts'
import { machineNames, publicNames, type Resolve } from './internet.ts'
import { createWebhookClient, type WebhookClient, type WebhookClientOptions } from './webhook.ts'

let receiver: FakeReceiver
const opened: WebhookClient[] = []
const servers: Server[] = []
const sockets = new Set<Socket>()
beforeEach(async () => {
  receiver = await startFakeReceiver()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.close()))
  for (const socket of sockets) socket.destroy()
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
  await receiver.close()
})

const loopback: Resolve = async () => [{ address: '127.0.0.1', family: 4 }]
const unknownName: Resolve = async () => {
  throw new Error('no name server is asked in a test')
}

/** By default the loopback of this machine counts as the internet. */
function client(options: Partial<WebhookClientOptions> = {}): WebhookClient {
  const made = createWebhookClient({
    userAgent: 'Downbeat test',
    allowHttp: true,
    isAllowed: () => true,
    resolve: loopback,
    timeoutMs: 5_000,
    maxBodyBytes: 1_000,
    connections: { perOrigin: 4, total: 8 },
    ...options,
  })
  opened.push(made)
  return made
}

const port = () => new URL(receiver.url).port

/** A server that answers with raw text below HTTP. */
async function rawServer(onSocket: (socket: Socket) => void, address = '127.0.0.1', at = 0): Promise<number> {
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    onSocket(socket.on('error', () => {}))
  })
  servers.push(server)
  server.listen(at, address)
  await once(server, 'listening')
  return (server.address() as { port: number }).port
}

describe('a request', () => {
  test('carries the body byte for byte, its headers, and the name that the address has', async () => {
    const body = '{"name":"Ünïcode",  "n":1}'
    const answer = await client().post({
      url: `http://hooks.example.org:${port()}/a/b?c=d%20e`,
      body,
      headers: { 'webhook-id': 'one' },
    })
    expect(answer).toMatchObject({ status: 204, error: null, retryAfterMs: null })
    expect(receiver.requests).toHaveLength(1)
    expect(receiver.requests[0]).toMatchObject({ method: 'POST', path: '/a/b', body })
    expect(receiver.requests[0]?.query.get('c')).toBe('d e')
    expect(receiver.requests[0]?.headers).toMatchObject({
      host: `hooks.example.org:${port()}`,
      'content-type': 'application/json',
      'user-agent': 'Downbeat test',
      'webhook-id': 'one',
    })
  })

  test('follows no redirect', async () => {
    receiver.misbehave(/moved/, { status: 307, headers: { location: `${receiver.url}/elsewhere` } })
    expect(await client().post({ url: `${receiver.url}/moved`, body: '{}' })).toMatchObject({ status: 307 })
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/moved'])
  })

  test('goes through no proxy, whatever the environment names', async () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
    const before = names.map((name) => process.env[name])
    for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : 'http://127.0.0.1:1'
    try {
      expect((await client().post({ url: `${receiver.url}/direct`, body: '{}' })).status).toBe(204)
    } finally {
      for (const [index, name] of names.entries()) {
        if (before[index] === undefined) delete process.env[name]
        else process.env[name] = before[index]
      }
    }
  })

  test('to an https address names its host in the handshake, not the address that was looked up', async () => {
    const hello = Promise.withResolvers<string>()
    const at = await rawServer((socket) =>
      socket.once('data', (data) => {
        hello.resolve(data.toString('latin1'))
        socket.destroy()
      }),
    )
    const answer = await client().post({ url: `https://hooks.example.org:${at}/`, body: '{}' })
    expect(await hello.promise).toContain('hooks.example.org')
    expect(answer.status).toBeNull()
  })
})

describe('an answer', () => {
  test.each([
    ['429 with seconds', { status: 429, headers: { 'retry-after': '120' } }, 120_000],
    ['503 with seconds', { status: 503, headers: { 'retry-after': '7' } }, 7_000],
    ['429 with more than a day', { status: 429, headers: { 'retry-after': '9999999' } }, 86_400_000],
    ['429 without headers', { status: 429 }, null],
    ['429 with nonsense', { status: 429, headers: { 'retry-after': 'soon' } }, null],
    ['429 in the chat platform’s way', { status: 429, headers: { 'x-ratelimit-reset-after': '1.25' } }, 1_250],
  ])('%s tells how long to wait', async (_what, answer, retryAfterMs) => {
    receiver.misbehave(/./, answer)
    const told = await client().post({ url: receiver.url, body: '{}' })
    expect(told).toMatchObject({ status: answer.status, error: null, retryAfterMs })
  })

  test('that is large is not read to its end, and its status counts', async () => {
    let written = 0
    const at = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n')
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536))) written += 65_536
      }
      socket.on('drain', more)
      more()
    })
    const started = performance.now()
    expect(await client().post({ url: `http://127.0.0.1:${at}/`, body: '{}' })).toMatchObject({ status: 200 })
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(written).toBeLessThan(50_000_000)
  })

  test.each([
    ['head', 'HTTP/1.1 200 OK\r\ncontent-'],
    ['body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
  ])('that breaks off in its %s is none', async (_where, half) => {
    const at = await rawServer((socket) => {
      socket.once('data', () => socket.write(half, () => socket.resetAndDestroy()))
    })
    const answer = await client().post({ url: `http://127.0.0.1:${at}/`, body: '{}' })
    expect([answer.status, answer.error]).toEqual([null, expect.stringContaining('the connection broke')])
  })

  test('that never comes is given up at the deadline', async () => {
    receiver.misbehave(/./, { slowMs: 60_000 })
    const answer = await client({ timeoutMs: 300 }).post({ url: receiver.url, body: '{}' })
    expect([answer.status, answer.error]).toEqual([null, expect.stringContaining('did not answer in time')])
  })

  test('whose body trickles is given up at the deadline', async () => {
    const at = await rawServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n')
        const trickle = setInterval(() => socket.write('.'), 20)
        socket.on('close', () => clearInterval(trickle))
      })
    })
    const answer = await client({ timeoutMs: 300 }).post({ url: `http://127.0.0.1:${at}/`, body: '{}' })
    expect(answer).toMatchObject({ status: null })
    expect(answer.durationMs).toBeGreaterThanOrEqual(290)
    expect(answer.durationMs).toBeLessThan(2_000)
  })

  test('that is no HTTP, and nobody who listens, are told of without path, query or headers', async () => {
    const at = await rawServer((socket) => socket.end('220 mail.example.org ESMTP\r\n'))
    const quiet = await rawServer(() => {})
    servers.pop()?.close()
    const errors = []
    for (const portOfServer of [at, quiet]) {
      const url = `http://user:pass@127.0.0.1:${portOfServer}/secret-path?secret-query`
      const answer = await client().post({ url, body: '{"secret":"body"}', headers: { 'webhook-id': 'secret-id' } })
      expect(answer.status).toBeNull()
      errors.push(answer.error)
    }
    expect(errors).toEqual([
      `127.0.0.1:${at}: the answer does not have the documented form`,
      `127.0.0.1:${quiet}: no connection could be made (ECONNREFUSED)`,
    ])
  })
})

describe('an address outside the internet is never connected to', () => {
  const refusal = /: there is no address that may be connected to$/

  test.each([
    ['127.0.0.1'],
    ['127.1'],
    ['0x7f.1'],
    ['0177.0.0.1'],
    ['2130706433'],
    ['0x7f000001'],
    ['127.0.0.1.'],
    ['１２７.0.0.1'],
    ['0.0.0.0'],
    ['0'],
    ['[::1]'],
    ['[::]'],
    ['[::ffff:127.0.0.1]'],
    ['[::ffff:7f00:1]'],
    ['[::127.0.0.1]'],
    ['[64:ff9b::127.0.0.1]'],
    ['[2002:7f00:1::]'],
    ['localhost'],
    ['localhost.'],
    ['LOCALHOST'],
    ['a.localhost'],
  ])('written as %s', async (host) => {
    // Names of this machine resolve as the machine knows them.
    const resolve: Resolve = async (name) => (name.includes('localhost') ? loopback(name) : unknownName(name))
    for (const path of ['/', '/again']) {
      const url = `http://${host}:${port()}${path}`
      const answer = await client({ isAllowed: isPublicAddress, resolve }).post({ url, body: '{}' })
      expect([answer.status, answer.error]).toEqual([null, expect.stringMatching(refusal)])
    }
    expect(receiver.requests).toEqual([])
  })

  test.each([
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
    ['unspecified', ['0.0.0.0', '0.1.2.3', '::']],
    ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1', 'fc00::1']],
    ['link-local', ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'fec0::1']],
    ['shared by a carrier', ['100.64.0.1', '100.127.255.255']],
    ['multicast and broadcast', ['224.0.0.1', '239.255.255.250', '255.255.255.255', 'ff02::1']],
    [
      'reserved and for documents',
      ['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '240.0.0.1', '2001:db8::1'],
    ],
    ['IPv4 in IPv6', ['::ffff:10.0.0.1', '::10.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::a00:1', '2002:a00:1::1']],
    ['tunnels', ['2001:0:a00:1::1', '192.88.99.1']],
    ['not an address', ['', 'x', '999.1.1.1']],
  ])('found under a name: %s', async (_kind, addresses) => {
    for (const address of addresses) {
      const family = address.includes(':') ? 6 : 4
      for (const found of [[address], ['93.184.215.14', address], [address, '93.184.215.14']]) {
        const resolve: Resolve = async () => found.map((one) => ({ address: one, family }))
        const reaching = client({ isAllowed: isPublicAddress, resolve })
        const answer = await reaching.post({ url: `http://hooks.example.org:${port()}/`, body: '{}' })
        expect([found, answer.status, answer.error]).toEqual([found, null, expect.stringMatching(refusal)])
      }
    }
    expect(receiver.requests).toEqual([])
  })

  test('also after a name server has changed its mind between the check and the connection', async () => {
    // 127.0.0.2 stands for the internet, and 127.0.0.1 for a private network.
    const internet = '127.0.0.2'
    let public_ = 0
    const at = await rawServer((socket) => {
      socket.once('data', () => {
        public_++
        socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')
      })
    }, internet)
    let inside = 0
    await rawServer(() => inside++, '127.0.0.1', at)
    const asked: string[] = []
    const resolve: Resolve = async (name) => {
      asked.push(name)
      return [{ address: asked.length % 2 === 1 ? internet : '127.0.0.1', family: 4 }]
    }
    const reaching = client({ isAllowed: (address) => address === internet, resolve })
    const statuses = []
    for (let round = 0; round < 6; round++) {
      statuses.push((await reaching.post({ url: `http://rebind.example.org:${at}/`, body: '{}' })).status)
    }
    expect(statuses).toEqual([204, null, 204, null, 204, null])
    expect([public_, inside]).toEqual([3, 0])
    // One look-up for each connection, so that no second answer could differ.
    expect(asked).toEqual(Array(6).fill('rebind.example.org'))
  })

  test('a name without an address is told of in the same words as one that leads there', async () => {
    const url = `http://db.internal.example:${port()}/`
    const told = await Promise.all(
      [unknownName, async () => [], loopback].map((resolve) =>
        client({ isAllowed: isPublicAddress, resolve }).post({ url, body: '{}' }),
      ),
    )
    expect(new Set(told.map(({ error }) => error)).size).toBe(1)
  })

  test.each(['http:', 'ftp:', 'ws:'])('%s is refused where https is needed', async (protocol) => {
    const answer = await client({ allowHttp: false }).post({ url: `${protocol}//127.0.0.1:${port()}/`, body: '{}' })
    expect([answer.status, answer.error]).toEqual([null, expect.stringMatching(refusal)])
    expect(receiver.requests).toEqual([])
  })
})

describe('connections', () => {
  /** Counts open connections, and answers each request after a moment. */
  function counter() {
    const count = { open: 0, most: 0 }
    const onSocket = (socket: Socket) => {
      count.most = Math.max(count.most, ++count.open)
      socket.on('close', () => count.open--)
      socket.on('data', () => setTimeout(() => socket.write('HTTP/1.1 204 No Content\r\n\r\n'), 20))
    }
    return { count, onSocket }
  }

  test('to one origin are few', async () => {
    const { count, onSocket } = counter()
    const url = `http://127.0.0.1:${await rawServer(onSocket)}/`
    const sending = client({ connections: { perOrigin: 2, total: 8 } })
    const answers = await Promise.all(Array.from({ length: 20 }, () => sending.post({ url, body: '{}' })))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(204))
    expect(count.most).toBe(2)
  })

  test('are few in all, however many origins there are', async () => {
    const { count, onSocket } = counter()
    const ports = await Promise.all(Array.from({ length: 30 }, () => rawServer(onSocket)))
    const sending = client({ connections: { perOrigin: 2, total: 3 } })
    const answers = await Promise.all(ports.map((at) => sending.post({ url: `http://127.0.0.1:${at}/`, body: '{}' })))
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(204))
    expect(count.most).toBeGreaterThanOrEqual(3)
    // Connections in use, idle, and being closed.
    expect(count.most).toBeLessThanOrEqual(3 * 3)
  })

  test('that are all in use are waited for until the deadline', async () => {
    const hold = await rawServer(() => {})
    const sending = client({ connections: { perOrigin: 2, total: 2 }, timeoutMs: 300 })
    const held = Array.from({ length: 4 }, () => sending.post({ url: `http://127.0.0.1:${hold}/`, body: '{}' }))
    await new Promise((resolve) => setTimeout(resolve, 100))
    const late = sending.post({ url: receiver.url, body: '{}' })
    const error = `127.0.0.1:${hold}: did not answer in time`
    expect((await Promise.all(held)).map((answer) => answer.error)).toEqual(Array(4).fill(error))
    // Calls that timed out have released their places.
    expect((await late).status).toBe(204)
  })
})

test('the machine’s own names are looked up as the machine knows them', async () => {
  const found = await machineNames('localhost')
  expect(found.map(({ address }) => address)).toContain('127.0.0.1')
})

test('a name that no name server knows has no address', async () => {
  expect(await publicNames('nobody.invalid')).toEqual([])
})
