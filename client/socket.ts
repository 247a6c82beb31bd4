import { Pace } from './pace.ts'
import { type Hello, type Limits, parsePacket, protocol, type ServerPacket } from './packets.ts'
import type { Cancel, Platform, WebSocketLike } from './platform.ts'

/** The time limit for the first packet of the service. */
const handshakeMs = 10_000
/** After this long without a packet the client sends a ping, because it cannot see the pings of the service. */
const quietMs = 25_000
/** A connection without a packet for this long is broken. */
const brokenMs = 60_000
/** The minimum time for the answer to a ping, when timers fired late because the machine slept. */
const answerMs = 10_000
/** The close code that browsers report for a broken connection. (RFC 6455 §7.4.1) */
const abnormal = 1006
const normal = 1000

/** The maximum size that `id` adds to a packet. */
const maxIdBytes = 32

export interface SocketEvents {
  /** The first packet has come: authenticate and subscribe now. */
  hello(packet: Hello): void
  /** A packet that is no answer to a request with `onAnswer`. */
  packet(packet: ServerPacket): void
  /** Called once, as the last event. */
  closed(code: number, reason: string): void
  /** The answer to a ping, with the time when the ping was sent. */
  pong(serverTime: string | number, sentAt: number): void
}

type OnAnswer = (packet: ServerPacket) => void

/** One WebSocket, from its opening to its end. */
export class Socket {
  /** Whether the handshake is complete. */
  isOpen = false
  /** From `hello`, and later from `authenticated`. */
  limits: Limits | undefined
  readonly #platform: Platform
  readonly #events: SocketEvents
  readonly #pace: Pace
  readonly #answers = new Map<number, OnAnswer>()
  #webSocket: WebSocketLike | undefined
  #lastId = 0
  #heardAt: number
  /** Whether a ping was sent, and no packet has come since. */
  #isAsked = false
  #timer: Cancel = () => {}
  #hasEnded = false

  constructor(platform: Platform, url: string, events: SocketEvents) {
    this.#platform = platform
    this.#events = events
    this.#heardAt = platform.now()
    this.#pace = new Pace(platform, (text) => this.#webSocket?.send(text))
    try {
      this.#listen(platform.open(url, protocol))
    } catch {
      // Pages under https: may not open ws: addresses.
      this.#timer = platform.later(0, () => this.fail())
    }
  }

  /**
   * @param onAnswer called once, with the answer
   * @param onSent called when the packet is sent; before that, it cannot have had an effect
   */
  send(packet: object, onAnswer?: OnAnswer, onSent?: () => void): void {
    const id = ++this.#lastId
    if (onAnswer !== undefined) this.#answers.set(id, onAnswer)
    this.#pace.send(JSON.stringify({ ...packet, id }), onSent)
  }

  /** Sends a packet immediately, because it has a limit of its own and must not wait. */
  sendAtOnce(packet: object): void {
    this.#webSocket?.send(JSON.stringify({ ...packet, id: ++this.#lastId }))
  }

  /** Whether the service accepts a packet of this size; it closes connections that send larger ones. */
  fits(packet: object): boolean {
    const bytes = new TextEncoder().encode(JSON.stringify(packet)).length + maxIdBytes
    return this.limits === undefined || bytes <= this.limits.packetBytes
  }

  ping(): void {
    let sentAt = this.#platform.now()
    const onSent = () => {
      sentAt = this.#platform.now()
    }
    const onAnswer = (packet: ServerPacket) => {
      if (packet.type === 'pong') this.#events.pong(packet.serverTime, sentAt)
    }
    this.send({ type: 'ping', at: sentAt }, onAnswer, onSent)
  }

  setLimits(limits: Limits): void {
    this.limits = limits
    this.#pace.setRate(limits.packetsPerSecond)
  }

  /** Gives the connection up without waiting for the other side, which may be gone. */
  fail(): void {
    this.#end(abnormal, '')
  }

  #listen(webSocket: WebSocketLike): void {
    this.#webSocket = webSocket
    webSocket.onmessage = ({ data }) => this.#receive(data)
    webSocket.onclose = ({ code, reason }) => this.#end(code, reason)
    // A close event follows.
    webSocket.onerror = () => {}
    this.#timer = this.#platform.later(handshakeMs, () => this.fail())
  }

  #receive(data: unknown): void {
    if (this.#webSocket === undefined) return
    this.#heardAt = this.#platform.now()
    if (this.#isAsked) this.#watch(quietMs)
    const packet = parsePacket(data)
    if (packet === undefined) this.fail()
    else if (packet.type === 'hello') this.#open(packet)
    else if (packet.id === undefined) this.#events.packet(packet)
    else this.#answer(packet, packet.id)
  }

  #answer(packet: ServerPacket, id: number): void {
    const onAnswer = this.#answers.get(id) ?? ((unexpected) => this.#events.packet(unexpected))
    this.#answers.delete(id)
    onAnswer(packet)
  }

  #open(hello: Hello): void {
    this.isOpen = true
    this.setLimits(hello.limits)
    this.#timer()
    this.#watch(quietMs)
    this.#events.hello(hello)
  }

  /** Checks after a while whether a packet has come. */
  #watch(ms: number): void {
    this.#isAsked = false
    this.#timer()
    this.#timer = this.#platform.later(ms, () => {
      const quiet = this.#platform.now() - this.#heardAt
      if (quiet < quietMs) this.#watch(quietMs - quiet)
      else this.#ask(Math.max(brokenMs - quiet, answerMs))
    })
  }

  #ask(patienceMs: number): void {
    this.#isAsked = true
    this.ping()
    this.#timer = this.#platform.later(patienceMs, () => this.fail())
  }

  /** Closes the socket without calling `closed`. */
  close(): void {
    this.#release()
  }

  #end(code: number, reason: string): void {
    if (this.#hasEnded) return
    this.#release()
    this.#events.closed(code, reason)
  }

  #release(): void {
    const webSocket = this.#webSocket
    this.#hasEnded = true
    this.#webSocket = undefined
    this.#timer()
    this.#pace.stop()
    this.#answers.clear()
    if (webSocket === undefined) return
    webSocket.onmessage = null
    webSocket.onclose = null
    webSocket.close(normal)
  }
}
