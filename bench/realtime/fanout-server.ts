import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { Server } from 'socket.io'
import { WebSocketServer } from 'ws'
import { Frame } from '../../src/infra/realtime/doors/frame.ts'
import { Gateway } from '../../src/infra/realtime/doors/gateway.ts'
import { Peers } from '../../src/infra/realtime/doors/peers.ts'
import { Tally } from '../../src/infra/realtime/measures.ts'

/**
 * Sends one message of a kilobyte to every connection, again and again: through our gateway, through a minimal server
 * that gathers all messages of 15 ms into one write for each socket, or through socket.io.
 *
 *     node fanout-server.ts ours|least|socket.io
 *
 * It prints its port. Each line `RATE SECONDS` on its input is a run, whose end it reports; `once` sends one message,
 * and it reports when it began to send.
 */

const [, , variant] = process.argv
const padding = 'x'.repeat(960)
let number = 0
const message = () =>
  JSON.stringify({ type: 'event', topic: '/bench', number: 100_000 + (++number % 900_000), padding }).padEnd(1_024)

const variants = { ours, least, 'socket.io': socketIo }
const { port, broadcast } = await variants[variant as keyof typeof variants]()
console.log(port)
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'once') {
    const at = performance.timeOrigin + performance.now()
    broadcast()
    console.log(at)
    continue
  }
  const [rate = 0, seconds = 0] = line.split(' ').map(Number)
  await run(rate, seconds)
  console.log('done')
}
process.exit(0)

async function run(rate: number, seconds: number): Promise<void> {
  const startedAt = performance.now()
  for (let sent = 0; sent < rate * seconds; ) {
    const due = Math.min(rate * seconds, ((performance.now() - startedAt) / 1_000) * rate)
    while (sent < due) {
      broadcast()
      sent++
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

async function ours() {
  const unused = () => {
    throw new Error('nobody asks for anything here')
  }
  const peers = new Peers(async () => null)
  const board = {
    feed: {},
    ephemeral: {},
    topics: {},
    commands: {},
    peers,
    tally: new Tally(),
    shownBy: unused,
    verifyAgain: unused,
    cardOf: unused,
    hasRoom: unused,
    confirm: unused,
    onError: console.error,
  }
  const gateway = new Gateway({
    // biome-ignore lint/suspicious/noExplicitAny: sockets that ask for nothing need nothing of what the gateway hands on.
    board: board as any,
    compatible: null,
    trustedProxies: [],
    areLimited: false,
    most: 100_000,
  })
  const sinks = peers as unknown as Iterable<{ send(frame: Frame): void }>
  return {
    port: await gateway.listen('127.0.0.1', 0),
    broadcast() {
      const frame = new Frame(message())
      for (const sink of sinks) sink.send(frame)
    },
  }
}

async function least() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false, backlog: 4_096 })
  await new Promise((resolve) => server.once('listening', resolve))
  let queue: Buffer[] = []
  return {
    port: (server.address() as { port: number }).port,
    broadcast() {
      queue.push(new Frame(message()).bytes)
      if (queue.length > 1) return
      setTimeout(() => {
        const bytes = Buffer.concat(queue)
        queue = []
        for (const client of server.clients) {
          const { _socket: stream } = client as unknown as { _socket: import('node:net').Socket }
          if (stream.writableLength < 4 * 1024 * 1024) stream.write(bytes)
        }
      }, 15)
    },
  }
}

/** As documented for a broadcast: encoded once, and handed to each socket. */
async function socketIo() {
  const http = createServer()
  const io = new Server(http, { transports: ['websocket'], perMessageDeflate: false, serveClient: false })
  await new Promise<void>((resolve) => http.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }, resolve))
  return {
    port: (http.address() as { port: number }).port,
    broadcast() {
      io.emit('event', message())
    },
  }
}
