import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { median, percentile } from '../load.ts'
import { endWithUs } from '../process.ts'
import { atLeast, below, type Row, ratio } from '../report.ts'
import { loopback, openLight, openMany } from './sockets.ts'

/** How many sockets one message reaches, and how soon. Without database, and with only the gateway of the service. */

type Variant = 'ours' | 'least' | 'socket.io'

const clients = 2_000
const rate = 600
/** More than each variant can deliver; socket.io keeps undelivered messages in memory. */
const rates: Readonly<Record<Variant, number>> = { ours: rate, least: rate, 'socket.io': 300 }
const seconds = 3
const turns = 3
const minPerSecond = 800_000

const manyClients = 5_000
const messages = 100
const maxMs = 50

/** Sends messages of a kilobyte to many sockets, as many as the two cores can deliver, which the clients share. */
export async function fanOut(): Promise<Row[]> {
  const figures: Record<Variant, number[]> = { ours: [], least: [], 'socket.io': [] }
  for (let turn = 0; turn < turns; turn++) {
    for (const variant of ['ours', 'least', 'socket.io'] as const) figures[variant].push(await deliveriesOf(variant))
  }
  const ours = median(figures.ours)
  const work = `1 kB to ${clients} sockets, deliveries`
  const besides = { ours, baseline: median(figures.least) }
  const gathered = 'one frame written to each socket, gathered for 15 ms'
  return [
    atLeast(`${work} a second`, ours, minPerSecond),
    ratio(work, gathered, besides, 0.8),
    ratio(work, 'socket.io, by WebSocket alone, uncompressed', { ours, baseline: median(figures['socket.io']) }, 4),
  ]
}

/** Sends one message at a time, and measures when its last byte has reached the last of many sockets. */
export async function lastByte(): Promise<Row[]> {
  const [ours, least] = [await delaysOf('ours'), await delaysOf('least')]
  const figures = `${messages} messages, half of them within ${percentile(ours, 0.5).toFixed(0)} ms; the least: ${percentile(least, 0.99).toFixed(0)} ms, half within ${percentile(least, 0.5).toFixed(0)} ms`
  const work = `1 kB to ${manyClients} sockets, the last byte, 99 of 100`
  return [below(work, '', percentile(ours, 0.99), maxMs, ' ms', figures)]
}

async function deliveriesOf(variant: Variant): Promise<number> {
  let bytes = 0
  const server = await startServer(variant)
  const sockets = await openMany(clients, (index) => open(variant, server.port, index, (more) => (bytes += more)))
  await wait(500)
  const size = await server.sizeOfOne(sockets.length, () => bytes)
  bytes = 0
  const startedAt = performance.now()
  await server.run(rates[variant], seconds)
  // Waits for messages that are still being delivered, and counts them.
  let lastAt = performance.now()
  for (let before = -1; before !== bytes; ) {
    if (bytes !== before) lastAt = performance.now()
    before = bytes
    await wait(100)
  }
  for (const socket of sockets) socket.destroy()
  await server.end()
  return bytes / size / ((lastAt - startedAt) / 1_000)
}

async function delaysOf(variant: Variant): Promise<number[]> {
  let bytes = 0
  let expected = Number.POSITIVE_INFINITY
  let arrived: (at: number) => void = () => {}
  const server = await startServer(variant)
  const sockets = await openMany(manyClients, (index) =>
    open(variant, server.port, index, (more) => {
      bytes += more
      if (bytes >= expected) arrived(performance.timeOrigin + performance.now())
    }),
  )
  await wait(500)
  const size = await server.sizeOfOne(manyClients, () => bytes)
  const delays: number[] = []
  // The first messages run code that is not compiled yet.
  for (let message = -10; message < messages; message++) {
    bytes = 0
    expected = size * manyClients
    const all = new Promise<number>((resolve) => (arrived = resolve))
    const sentAt = await server.once()
    const delay = (await all) - sentAt
    if (message >= 0) delays.push(delay)
    await wait(50)
  }
  for (const socket of sockets) socket.destroy()
  await server.end()
  return delays
}

async function startServer(variant: Variant) {
  const program = ['--import', hook, path.join(import.meta.dirname, 'fanout-server.ts'), variant]
  const child = spawn(process.execPath, program, { stdio: ['pipe', 'pipe', 'inherit'] })
  endWithUs(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const port = Number((await lines.next()).value)
  const server = {
    port,
    async run(perSecond: number, forSeconds: number) {
      child.stdin.write(`${perSecond} ${forSeconds}\n`)
      await lines.next()
    },
    /** Sends one message; returns the time in milliseconds since the epoch. */
    async once() {
      child.stdin.write('once\n')
      return Number((await lines.next()).value)
    },
    /** The bytes of a message on the wire. */
    async sizeOfOne(sockets: number, read: () => number) {
      const before = read()
      await server.once()
      await wait(1_000)
      return (read() - before) / sockets
    },
    async end() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
  return server
}

async function open(variant: Variant, port: number, index: number, onBytes: (bytes: number) => void): Promise<Socket> {
  if (variant === 'socket.io') return openSocketIo(port, loopback(index), onBytes)
  return (await openLight({ port, from: loopback(index), onBytes })).socket
}

/** The handshake of Engine.IO 4 and of Socket.IO 5; pings of the server are answered. (socket.io: protocol) */
async function openSocketIo(port: number, from: string, onBytes: (bytes: number) => void): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: from })
  socket.on('error', () => {})
  await once(socket, 'connect')
  const headers = [
    ...['GET /socket.io/?EIO=4&transport=websocket HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Upgrade: websocket'],
    ...['Connection: Upgrade', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'],
  ]
  socket.write(`${headers.join('\r\n')}\r\n\r\n`)
  await until(socket, '0{')
  socket.write(textFrame('40'))
  await until(socket, '40{')
  socket.on('data', (data: Buffer) => {
    onBytes(data.length)
    // A ping comes alone: a text frame of the one character 2.
    if (data.length === 3 && data[2] === 0x32) socket.write(textFrame('3'))
  })
  return socket
}

async function until(socket: Socket, text: string): Promise<void> {
  for (let read = ''; !read.includes(text); ) read += String((await once(socket, 'data'))[0])
}

function textFrame(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)])
}

const hook = new URL('../../bin/resolve.js', import.meta.url).href
