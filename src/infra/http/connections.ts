import type { Server, ServerResponse } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import { networkOf } from '../../core/network.ts'

/** Limits of connections. Times in milliseconds. */
export interface ConnectionLimits {
  /** Maximum time until the headers, and the whole request, have arrived. */
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly keepAliveTimeout: number
  /** Interval of the checks of the times above. */
  readonly connectionsCheckingInterval: number
  /**
   * Maximum number of connections. At this number, an idle connection is closed for a new one; if none is idle, the new
   * one is closed.
   */
  readonly maxConnections: number
  /**
   * Maximum number of connections of one caller. Trusted proxies are exempt, because they carry the requests of all
   * callers.
   */
  readonly maxConnectionsOfCaller: number
}

export const defaultConnections: ConnectionLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxConnections: 10_000,
  maxConnectionsOfCaller: 2_000,
}

/** Connections in the order of their last requests, the longest idle first. */
type Queue = Set<Socket>

interface Peer {
  /** The caller under which its anonymous calls are counted. */
  readonly caller: string
  /** The connections of the same caller; null for a trusted proxy. */
  readonly queue: Queue | null
}

/**
 * The open connections, within their limits. A connection without a running request is idle, whether it waits for the
 * next request or for the rest of its first: closing it interrupts nothing.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #proxies: BlockList
  readonly #all: Queue = new Set()
  readonly #queues = new Map<string, Queue>()
  readonly #peers = new WeakMap<Socket, Peer>()

  /** @param trustedProxies addresses, and networks such as 10.0.0.0/8 */
  constructor(limits: ConnectionLimits, trustedProxies: readonly string[]) {
    this.#limits = limits
    this.#proxies = blockListOf(trustedProxies)
  }

  /** Number of open connections. */
  get size(): number {
    return this.#all.size
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#open(socket))
  }

  /** To be called for each request. Returns the caller to count it under if it is anonymous and was not forwarded. */
  use(socket: Socket): string {
    const peer = this.#peers.get(socket)
    if (peer === undefined) return networkOf(socket.remoteAddress)
    moveToEnd(this.#all, socket)
    if (peer.queue !== null) moveToEnd(peer.queue, socket)
    return peer.caller
  }

  /** Closes connections that have received nothing: Node.js does not count them as idle. */
  closeUnused(): void {
    for (const socket of this.#all) if (socket.bytesRead === 0) socket.destroy()
  }

  #open(socket: Socket): void {
    const { remoteAddress } = socket
    // The client has disconnected already.
    if (remoteAddress === undefined) return void socket.destroy()
    const caller = networkOf(remoteAddress)
    const queue = this.#isProxy(remoteAddress) ? null : (this.#queues.get(caller) ?? new Set())
    const { maxConnections, maxConnectionsOfCaller } = this.#limits
    const hasRoom =
      (queue === null || this.#makeRoom(queue, maxConnectionsOfCaller)) && this.#makeRoom(this.#all, maxConnections)
    if (!hasRoom) return void socket.destroy()
    this.#peers.set(socket, { caller, queue })
    this.#all.add(socket)
    queue?.add(socket)
    if (queue !== null) this.#queues.set(caller, queue)
    socket.once('close', () => this.#forget(socket))
  }

  /** Makes room for one connection by closing the longest idle one; false when the queue is full and none is idle. */
  #makeRoom(queue: Queue, most: number): boolean {
    if (queue.size < most) return true
    for (const socket of queue) {
      if (answerUnderWay(socket) !== null) continue
      this.#forget(socket)
      socket.destroy()
      return true
    }
    return false
  }

  #forget(socket: Socket): void {
    const peer = this.#peers.get(socket)
    if (peer === undefined) return
    this.#peers.delete(socket)
    this.#all.delete(socket)
    peer.queue?.delete(socket)
    if (peer.queue?.size === 0) this.#queues.delete(peer.caller)
  }

  #isProxy(address: string): boolean {
    const [plain = ''] = address.split('%')
    return this.#proxies.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}

function moveToEnd(queue: Queue, socket: Socket): void {
  queue.delete(socket)
  queue.add(socket)
}

/** The response being sent on a connection, or null. Node.js stores it at the socket under a private name. */
export function answerUnderWay(socket: Socket): ServerResponse | null {
  return (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}
