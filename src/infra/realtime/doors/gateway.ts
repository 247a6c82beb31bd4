import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Server as SocketServer, WebSocketServer } from 'ws'
import { networkOf } from '../../../core/network.ts'
import { Problem } from '../../../core/problem.ts'
import { bearerToken } from '../../http/admission.ts'
import { callerAddress } from '../../http/proxies.ts'
import { createServer, STATUS_CODES } from '../../node-http.ts'
import type { CompatibleDoor } from '../compatible/door.ts'
import { isSpoken } from '../compatible/wire.ts'
import { reasonOf } from './closing.ts'
import { Connection } from './connection.ts'
import { type Frame, parcelOf } from './frame.ts'
import { PartingSocket } from './graceful-close.ts'
import { Bucket, handshakes, maxConnectionsOfAddress } from './limits.ts'
import { Round } from './maintenance.ts'
import { protocol } from './packets.ts'
import { mayFollow } from './socket-identity.ts'
import type { Shown, Switchboard } from './switchboard.ts'

/** Accepts and manages sockets. */

export interface GatewayOptions {
  readonly board: Omit<Switchboard, 'flushSoon' | 'lookSoon' | 'heartbeatMs' | 'newCodec'>
  /** For clients of the compatible protocol; null where it is disabled. */
  readonly compatible: CompatibleDoor | null
  readonly trustedProxies: readonly string[]
  /** Whether connections and handshakes are limited by address. */
  readonly areLimited: boolean
  /** Maximum number of sockets. */
  readonly most: number
}

/** Milliseconds between two requests for a sign of life. (RT28) */
const heartbeatMs = 25_000
const handshakeMs = 10_000
const handshakeLimits = { headersTimeout: handshakeMs, requestTimeout: handshakeMs, connectionsCheckingInterval: 1_000 }
const maxMessage = 128 * 1024
/** Packets within this many milliseconds are written together; the lower value applies after a pause. (RT14) */
const maxGatherMs = 15
const minGatherMs = 2
const maxAddresses = 20_000
/** Interval of the check for connections that are due for maintenance; few are due at a time. */
const watchMs = 50
/** Delay until the maintenance of sockets that do not read what was sent, or whose rights have changed. */
const soonMs = 1_000
/** The speed at which clients are asked to reconnect when the service stops. (RT32) */
const drain = { perSecond: 500, minMs: 1_000, maxMs: 20_000 }

export class Gateway {
  readonly #options: GatewayOptions
  readonly #board: Switchboard
  /** Switchboards by the path of the handshake. */
  readonly #boards: ReadonlyMap<string, Switchboard>
  readonly #sockets: SocketServer<typeof PartingSocket>
  readonly #server: Server
  readonly #connections = new Set<Connection>()
  readonly #buckets = new Map<string, Bucket>()
  readonly #waiting = new Set<Connection>()
  readonly #clock: NodeJS.Timeout
  readonly #round = new Round<Connection>(Date.now())
  #gathering: NodeJS.Timeout | undefined
  #flushedAt = 0
  #opening = 0
  #isDraining = false

  constructor(options: GatewayOptions) {
    this.#options = options
    const { board, compatible } = options
    const flushSoon = (connection: Connection) => this.#flushSoon(connection)
    const lookSoon = (connection: Connection) => this.#round.hasten(connection, Date.now() + soonMs)
    this.#board = { ...board, heartbeatMs, flushSoon, lookSoon, newCodec: null }
    const boards = new Map([['/', this.#board]])
    if (compatible !== null) {
      const { path, topics } = compatible
      boards.set(path, { ...this.#board, topics, newCodec: () => compatible.newCodec() })
    }
    this.#boards = boards
    this.#sockets = new WebSocketServer<typeof PartingSocket>({
      WebSocket: PartingSocket,
      noServer: true,
      clientTracking: false,
      autoPong: false,
      perMessageDeflate: false,
      maxPayload: maxMessage,
      handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
    })
    this.#server = createServer(handshakeLimits, (_request, response) => {
      const body = `Connect with a WebSocket client that offers the subprotocol ${protocol}.\n`
      response.writeHead(426, {
        upgrade: 'websocket',
        connection: 'close',
        'content-type': 'text/plain; charset=utf-8',
      })
      response.end(body)
    })
    this.#server.on('upgrade', (request, socket, head) => void this.#upgrade(request, socket, head))
    this.#clock = setInterval(() => this.#watch(), watchMs).unref()
  }

  async listen(host: string, port: number): Promise<number> {
    this.#server.listen({ host, port, backlog: 4_096 })
    await once(this.#server, 'listening')
    return (this.#server.address() as { readonly port: number }).port
  }

  /**
   * Asks all clients to reconnect, spread over time, and closes.
   * @param maxMs maximum duration
   */
  async close(maxMs = drain.maxMs): Promise<void> {
    this.#isDraining = true
    const spreadMs = Math.min(maxMs, Math.max(drain.minMs, (this.#connections.size / drain.perSecond) * 1_000))
    for (const connection of this.#connections) {
      connection.drain(randomInt(1, Math.ceil(spreadMs) + 1), randomInt(1, Math.ceil(spreadMs) + 1))
    }
    const [until, atLast] = [Date.now() + spreadMs + 1_000, Date.now() + maxMs + 1_000]
    const isWaiting = (now: number) =>
      now < until
        ? this.#connections.size > 0
        : now < atLast && [...this.#connections].some(({ isWorking }) => isWorking)
    while (isWaiting(Date.now())) await new Promise((resolve) => setTimeout(resolve, 20))
    for (const connection of this.#connections) connection.end()
    clearInterval(this.#clock)
    this.#flush()
    clearTimeout(this.#gathering)
    this.#server.closeAllConnections()
    if (this.#server.listening) {
      this.#server.close()
      await once(this.#server, 'close')
    }
  }

  // Handshakes

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // Errors of a peer that disconnects during the handshake are ignored.
    const ignore = () => {}
    socket.on('error', ignore)
    const address = callerAddress(request, this.#options.trustedProxies)
    const refusal = this.#refusalOf(address)
    if (refusal !== null) return refuse(socket, ...refusal)
    this.#opening++
    try {
      const url = new URL(request.url ?? '/', 'http://localhost')
      const board = this.#boards.get(url.pathname)
      if (board === undefined) return refuse(socket, 404)
      const isOurs = board.newCodec === null
      if (!isOurs && !isSpoken(url.searchParams)) return refuse(socket, 400)
      const shown = await this.#readCredential(request, url, address)
      if (shown === 'refused') return refuse(socket, 401, { 'www-authenticate': 'Bearer error="invalid_token"' })
      const isFull = shown !== null && shown !== 'ticket' && !(await this.#board.hasRoom(shown.bearer))
      if (socket.destroyed) return
      socket.off('error', ignore)
      this.#sockets.handleUpgrade(request, socket, head, (opened) => {
        if (isOurs && opened.protocol !== protocol) return opened.close(4203, reasonOf(4203))
        if (shown === 'ticket') return opened.close(4102, reasonOf(4102))
        if (isFull) return opened.close(4204, reasonOf(4204))
        if (shown === null && this.#isCrowded(address)) return opened.close(4204, reasonOf(4204))
        const stream = socket as Socket
        stream.setNoDelay(true)
        const connection = new Connection(board, opened, stream, address, new Date())
        this.#connections.add(connection)
        this.#round.put(connection, Date.now() + soonMs)
        opened.on('close', () => {
          this.#connections.delete(connection)
          this.#round.delete(connection)
        })
        connection.begin(shown)
      })
    } catch (error) {
      if (error instanceof Problem && error.kind === 'limited') return refuse(socket, 429, error.headers)
      this.#board.onError(error)
      refuse(socket, 503, { 'retry-after': '5' })
    } finally {
      this.#opening--
    }
  }

  #refusalOf(address: string): [status: number, headers: Readonly<Record<string, string>>] | null {
    if (this.#isDraining || this.#connections.size + this.#opening >= this.#options.most)
      return [503, { 'retry-after': '5' }]
    if (!this.#options.areLimited) return null
    const network = networkOf(address)
    const now = Date.now()
    let bucket = this.#buckets.get(network)
    if (bucket === undefined) {
      if (this.#buckets.size >= maxAddresses) this.#buckets.clear()
      bucket = new Bucket(handshakes.burst, now)
      this.#buckets.set(network, bucket)
    }
    return bucket.take(handshakes.perSecond, handshakes.burst, now) ? null : [429, { 'retry-after': '1' }]
  }

  #isCrowded(address: string): boolean {
    return (
      this.#options.areLimited &&
      this.#board.peers.strangersFrom({ door: 'socket', address }) >= maxConnectionsOfAddress
    )
  }

  /**
   * Verifies the handshake's credential. `refused` for an invalid token in the header; `ticket` for an invalid ticket,
   * or a token in the address, where it is forbidden. No cookie is read. (RT27)
   */
  async #readCredential(
    request: IncomingMessage,
    url: URL,
    address: string,
  ): Promise<Shown | null | 'refused' | 'ticket'> {
    const { authorization } = request.headers
    const ticket = url.searchParams.get('ticket')
    if (['token', 'access_token', 'authorization'].some((name) => url.searchParams.has(name))) return 'ticket'
    if (authorization !== undefined) {
      const token = bearerToken(authorization)
      const shown = token === undefined ? null : await this.#board.shownBy({ token }, address)
      return shown !== null && mayFollow(shown.bearer) ? shown : 'refused'
    }
    return ticket === null ? null : ((await this.#board.shownBy({ ticket }, address)) ?? 'ticket')
  }

  // Sending

  #flushSoon(connection: Connection): void {
    this.#waiting.add(connection)
    if (this.#gathering !== undefined) return
    const left = this.#flushedAt + maxGatherMs - performance.now()
    this.#gathering = setTimeout(() => this.#flush(), Math.max(left, minGatherMs))
  }

  /** Sockets with the same packets get the same bytes, which are joined once. */
  #flush(): void {
    this.#gathering = undefined
    this.#flushedAt = performance.now()
    let same: readonly Frame[] = []
    let parcel = parcelOf(same)
    for (const connection of this.#waiting) {
      const queue = connection.takeQueue()
      if (queue.length === 0) continue
      if (queue.length !== same.length || queue.some((frame, index) => frame !== same[index])) {
        same = queue
        parcel = parcelOf(queue)
      }
      connection.write(parcel)
      this.#board.tally.packets += queue.length
      this.#board.tally.bytes += parcel.bytes
    }
    this.#waiting.clear()
  }

  #watch(): void {
    const now = Date.now()
    const nextPing = () => now + heartbeatMs * (0.8 + Math.random() * 0.4)
    for (const connection of this.#round.due(now)) {
      const next = connection.watch(now, nextPing)
      if (next !== null) this.#round.put(connection, next)
    }
  }
}

function refuse(socket: Duplex, status: number, headers: Readonly<Record<string, string>> = {}): void {
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': '0' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`)
}
