import { Pace } from './pace.ts'
import { type Hello, type Limits, parsePacket, protocol, type ServerPacket } from './packets.ts'
import type { Cancel, Platform, WebSocketLike } from './platform.ts'

/** So long the service has for its first packet. (RT28) */
const handshakeMs = 10_000
/** After so long a silence the client sends a ping: it does not see those of the service. */
const quietMs = 25_000
/** A connection that is silent for so long is broken. (RT39) */
const brokenMs = 60_000
/** So long there is for the answer to a ping at least, where timers ran late: on a machine that slept. */
const answerMs = 10_000
/** What browsers report of a connection that broke. (RFC 6455 §7.4.1) */
const abnormal = 1006
const normal = 1000

/** What `id` adds to a packet at most. */
const idBytes = 32

export interface SocketEvents {
  /** Asks for what is wanted of the connection. */
  hello(packet: Hello): void
  /** A packet that answers nothing that was sent with `onAnswer`. */
  packet(packet: ServerPacket): void
  /** Once, and nothing after it. */
  closed(code: number, reason: string): void
  /** The answer to `ping`, which left at the given time. */
  pong(serverTime: string | number, sentAt: number): void
}

type OnAnswer = (packet: ServerPacket) => void

/** One WebSocket, from its opening to its end. */
export class Socket {
  /** Whether the service has answered: whether the handshake is done. */
  isOpen = false
  /** From `hello`, and from `authenticated` later. */
  limits: Limits | undefined
  readonly #platform: Platform
  readonly #events: SocketEvents
  readonly #pace: Pace
  readonly #answers = new Map<number, OnAnswer>()
  #webSocket: WebSocketLike | undefined
  #lastId = 0
  #heardAt: number
  /** Whether a ping was sent, and nothing has come since. */
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
   * @param onAnswer gets the one answer
   * @param onSent is called when the packet leaves: until then, nothing can have come of it
   */
  send(packet: object, onAnswer?: OnAnswer, onSent?: () => void): void {
    const id = ++this.#lastId
    if (onAnswer !== undefined) this.#answers.set(id, onAnswer)
    this.#pace.send(JSON.stringify({ ...packet, id }), onSent)
  }

  /** What has a limit of its own, and loses its worth by waiting. */
  sendAtOnce(packet: object): void {
    this.#webSocket?.send(JSON.stringify({ ...packet, id: ++this.#lastId }))
  }

  /** Whether the service takes a packet of this size; it closes connections that send larger ones. (RT29) */
  fits(packet: object): boolean {
    const bytes = new TextEncoder().encode(JSON.stringify(packet)).length + idBytes
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

  /** Gives the connection up without waiting for its other side, which may be gone. */
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

  /** Sees after a while whether something has come. */
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

  /** Closes from this side; nothing is told of it. */
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
