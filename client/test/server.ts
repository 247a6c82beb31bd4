import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'

/** The other side of the client; the test decides what it sends. */

// biome-ignore lint/suspicious/noExplicitAny: packets of every kind; a test reads the members that it checks.
type Packet = any

const limits = { subscriptions: 50, packetBytes: 8_192, packetsPerSecond: 1_000, publishPerSecond: 30 }

/** Resolves with the result of `find` as soon as there is one. */
function until<T>(find: () => T | undefined, what: string): Promise<T> {
  return vi
    .waitUntil(() => find() ?? false, { timeout: 60_000, interval: 2 })
    .catch(() => {
      throw new Error(`${what} did not come`)
    }) as Promise<T>
}

/** One socket, from the side of the service. */
export class Peer {
  /** All received packets. */
  readonly packets: Packet[] = []
  readonly closed: Promise<number>
  isClosed = false
  /** Whether it answers pings by itself. */
  answersPings = true
  readonly #socket: WebSocket
  readonly #now: () => number
  readonly #taken = new Set<Packet>()

  constructor(socket: WebSocket, now: () => number) {
    this.#socket = socket
    this.#now = now
    this.closed = new Promise((resolve) => {
      socket.on('close', (code) => {
        this.isClosed = true
        resolve(code)
      })
    })
    socket.on('message', (data) => {
      const packet = JSON.parse(String(data))
      this.packets.push(packet)
      if (packet.type !== 'ping' || !this.answersPings) return
      this.send({ type: 'pong', id: packet.id, at: packet.at, serverTime: this.#serverTime })
    })
  }

  get #serverTime(): string {
    return new Date(this.#now()).toISOString()
  }

  send(packet: object): void {
    this.#socket.send(JSON.stringify(packet))
  }

  sendText(text: string): void {
    this.#socket.send(text)
  }

  hello(more: object = {}): void {
    const common = { type: 'hello', connection: 'c', protocol: 'downbeat.v1', heartbeatMs: 25_000 }
    this.send({ ...common, serverTime: this.#serverTime, limits, ...more })
  }

  /** The next packet of a type that the test has not taken yet. */
  async take(type: string): Promise<Packet> {
    const isNext = (packet: Packet) => packet.type === type && !this.#taken.has(packet)
    const packet = await until(() => this.packets.find(isNext), type)
    this.#taken.add(packet)
    return packet
  }

  count(type: string): number {
    return this.packets.filter((packet) => packet.type === type).length
  }

  /** Resolves when everything that the client has sent so far has arrived. */
  async settle(): Promise<void> {
    await new Promise((resolve) => {
      this.#socket.once('pong', resolve)
      this.#socket.ping()
    })
  }

  close(code: number): void {
    this.#socket.close(code, 'As a test wants it.')
  }

  /** Breaks the connection, like a network failure. */
  cut(): void {
    this.#socket.terminate()
  }
}

/** One request for a stream. */
export class StreamPeer {
  readonly query: URLSearchParams
  readonly authorization: string | undefined
  readonly accept: string | undefined
  isClosed = false
  readonly #response: ServerResponse

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.query = new URL(request.url ?? '', 'http://localhost').searchParams
    this.authorization = request.headers.authorization
    this.accept = request.headers.accept
    this.#response = response
    response.on('close', () => {
      this.isClosed = true
    })
  }

  get topics(): string[] {
    return this.query.getAll('topic')
  }

  refuse(status: number, code: string, headers: Record<string, string> = {}): void {
    this.#response.writeHead(status, { 'problem-code': code, ...headers }).end('Refused.')
  }

  /** @param id the id of the step, with its last packet */
  send(packet: { readonly type: string; readonly [member: string]: unknown }, id?: string): void {
    if (!this.#response.headersSent) this.#response.writeHead(200, { 'content-type': 'text/event-stream' })
    const text = `event: ${packet.type}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(packet)}\n\n`
    // In chunks, as networks deliver it.
    const half = Math.floor(text.length / 2)
    this.#response.write(text.slice(0, half))
    this.#response.write(text.slice(half))
  }

  write(text: string): void {
    this.#response.write(text)
  }

  end(): void {
    this.#response.end()
  }
}

export class FakeServer implements AsyncDisposable {
  readonly peers: Peer[] = []
  readonly streams: StreamPeer[] = []
  /** The number of handshakes, including refused ones. */
  handshakes = 0
  /** Whether sockets are blocked. */
  blocks = false
  /** Whether it sends `hello` by itself. */
  greets = true
  now = () => Date.now()
  readonly #http = createServer((request, response) => {
    this.streams.push(new StreamPeer(request, response))
  })
  readonly #sockets = new WebSocketServer({ noServer: true })
  #seen = 0
  #seenStreams = 0

  static async start(): Promise<FakeServer> {
    const server = new FakeServer()
    server.#http.on('upgrade', (request, socket, head) => {
      server.handshakes++
      if (server.blocks) {
        socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
        return
      }
      server.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
        const peer = new Peer(webSocket, () => server.now())
        server.peers.push(peer)
        if (server.greets) peer.hello()
      })
    })
    await new Promise<void>((resolve) => server.#http.listen(0, '127.0.0.1', resolve))
    return server
  }

  get #host(): string {
    return `127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  get url(): string {
    return `ws://${this.#host}/`
  }

  get apiUrl(): string {
    return `http://${this.#host}/api`
  }

  /** The next connection that the test has not taken yet. */
  async next(): Promise<Peer> {
    const peer = await until(() => this.peers[this.#seen], 'a connection')
    this.#seen++
    return peer
  }

  async nextStream(): Promise<StreamPeer> {
    const stream = await until(() => this.streams[this.#seenStreams], 'a stream')
    this.#seenStreams++
    return stream
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate()
    this.#http.closeAllConnections()
    await new Promise((resolve) => this.#http.close(resolve))
  }
}
