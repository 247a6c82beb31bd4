import type { Clock } from './clock.ts'
import type { Credentials } from './credentials.ts'
import type { Endpoint } from './endpoint.ts'
import type { UserCard } from './generated.ts'
import type { Hello, ServerPacket } from './packets.ts'
import { backoff, type Cancel, type Platform } from './platform.ts'
import { Session } from './session.ts'
import { Socket } from './socket.ts'
import { Streams } from './streams.ts'

/** After this many failed handshakes in a row, sockets count as blocked. */
const maxFailedHandshakes = 3
/** The interval in which the socket is tried again while streams are used. */
const trialMs = 300_000
/** A connection that lasted this long resets the count of failures. */
const stableMs = 10_000

export interface Status {
  /**
   * `waiting`: until the next attempt. `idle`: until there is something to follow or to send. `closed`: for good, by
   * `close()` or by the service, which then sends a code.
   */
  readonly state: 'connecting' | 'live' | 'waiting' | 'idle' | 'closed'
  /** The kind of connection. A stream accepts no commands. */
  readonly door?: 'socket' | 'stream'
  /** The user of the connection; null for an anonymous one. Missing for a stream. */
  readonly user?: UserCard | null
  readonly retryInMs?: number
  /** The close code and reason of the connection that ended most recently. */
  readonly code?: number
  readonly reason?: string
}

/** Callbacks of the connection. */
export interface ConnectionListener {
  /** A socket is ready. */
  onSocket(socket: Socket, user: UserCard | null): void
  /** Streams replace the socket as far as possible; it is not known yet whether they work. */
  onStreams(streams: Streams): void
  /** The streams work. */
  onStreamsOpen(): void
  onOffline(): void
  /** The service refuses all connections of this client, which must now close. */
  onRefused(status: Status): void
  onPacket(packet: ServerPacket): void
  onStatus(status: Status): void
  /** Whether the client needs a connection, and whether it needs one for topics. */
  isNeeded(): boolean
  hasTopics(): boolean
}

export interface ConnectionParts {
  readonly platform: Platform
  readonly url: string
  readonly credentials: Credentials
  readonly clock: Clock
  /** For streams; undefined when there are none. */
  readonly endpoint: Endpoint | undefined
  readonly listener: ConnectionListener
}

/** Keeps the client connected and authenticated. */
export class Connection {
  readonly #platform: Platform
  readonly #url: string
  readonly #credentials: Credentials
  readonly #clock: Clock
  readonly #endpoint: Endpoint | undefined
  readonly #listener: ConnectionListener
  readonly #stopListening: Cancel
  #socket: Socket | undefined
  #session: Session | undefined
  /** Kept for further attempts until a socket is ready, because the streams know their positions. */
  #streams: Streams | undefined
  #isStreaming = false
  #isLive = false
  #liveAt = 0
  #failures = 0
  /** The milliseconds waited since the last success. */
  #waited = 0
  #failedHandshakes = 0
  /** The earliest time of the next attempt, as the service demands. */
  #notBefore: number | undefined
  #wait: Cancel | undefined
  #trial: Cancel = () => {}
  #isClosed = false

  constructor({ platform, url, credentials, clock, endpoint, listener }: ConnectionParts) {
    this.#platform = platform
    this.#url = url
    this.#credentials = credentials
    this.#clock = clock
    this.#endpoint = endpoint
    this.#listener = listener
    this.#stopListening = platform.onOnline(() => {
      if (this.#wait !== undefined) this.#connect()
    })
  }

  /** Connects, unless it is connecting or connected already. */
  wake(): void {
    const isUnderWay = this.#socket !== undefined || this.#isStreaming || this.#wait !== undefined
    if (!isUnderWay && !this.#isClosed) this.#connect()
  }

  /** Closes the connection for good. */
  close(): void {
    this.#isClosed = true
    this.#stopListening()
    this.#stop()
  }

  #stop(): void {
    this.#wait?.()
    this.#wait = undefined
    this.#trial()
    this.#session?.stop()
    this.#socket?.close()
    this.#socket = undefined
    this.#streams?.stop()
    this.#isStreaming = false
  }

  // Listeners are called last, because they may open or close a connection.
  #connect(): void {
    this.#wait?.()
    this.#wait = undefined
    const isBlocked = this.#failedHandshakes >= maxFailedHandshakes
    if (isBlocked && this.#endpoint !== undefined && this.#listener.hasTopics()) this.#stream(this.#endpoint)
    else this.#open()
    this.#listener.onStatus({ state: 'connecting' })
  }

  #open(): void {
    // Loads the token while the socket opens.
    void this.#credentials.get()
    const socket = new Socket(this.#platform, this.#url, {
      hello: (hello) => void this.#begin(socket, hello),
      packet: (packet) => {
        if (packet.type === 'draining') this.#delay(packet.reconnectInMs)
        else this.#listener.onPacket(packet)
      },
      pong: (serverTime, sentAt) => {
        this.#clock.add(serverTime, sentAt)
        if (this.#clock.isRough) socket.ping()
      },
      closed: (code, reason) => this.#closed(socket, code, reason),
    })
    this.#socket = socket
  }

  async #begin(socket: Socket, hello: Hello): Promise<void> {
    this.#clock.start(hello.serverTime)
    const session = new Session(this.#platform, this.#clock, this.#credentials, socket)
    this.#session = session
    const user = await session.start()
    if (socket !== this.#socket) return
    if (this.#isStreaming) this.#listener.onOffline()
    this.#streams?.stop()
    this.#streams = undefined
    this.#isStreaming = false
    this.#trial()
    this.#failedHandshakes = 0
    this.#becomeLive({ state: 'live', door: 'socket', user })
    if (socket === this.#socket) this.#listener.onSocket(socket, user)
    if (socket === this.#socket) socket.ping()
  }

  #closed(socket: Socket, code: number, reason: string): void {
    this.#session?.stop()
    this.#socket = undefined
    this.#failedHandshakes = socket.isOpen ? 0 : this.#failedHandshakes + 1
    if (this.#isStreaming) this.#planTrial()
    else this.#lost(code, reason)
  }

  #stream(endpoint: Endpoint): void {
    this.#isStreaming = true
    this.#streams ??= new Streams(this.#platform, endpoint, {
      opened: () => {
        if (this.#isLive) return
        this.#becomeLive({ state: 'live', door: 'stream' })
        this.#listener.onStreamsOpen()
      },
      lost: (code, reason) => {
        // If streams fail too, the fault is not that of sockets, so both are tried in turn.
        if (!this.#isLive) this.#failedHandshakes = maxFailedHandshakes - 1
        this.#stop()
        this.#lost(code, reason)
      },
      hint: (ms) => this.#delay(ms),
    })
    this.#planTrial()
    this.#listener.onStreams(this.#streams)
  }

  /** Plans the next attempt of a socket; the streams stay open until it is ready. */
  #planTrial(): void {
    this.#trial()
    this.#trial = this.#platform.later(trialMs, () => this.#open())
  }

  #becomeLive(status: Status): void {
    this.#isLive = true
    this.#liveAt = this.#platform.now()
    this.#listener.onStatus(status)
  }

  #delay(ms: number): void {
    this.#notBefore = this.#platform.now() + ms
  }

  #lost(code: number, reason: string): void {
    const now = this.#platform.now()
    if (this.#isLive && now - this.#liveAt >= stableMs) this.#failures = this.#waited = 0
    this.#isLive = false
    if (code >= 4200 && code < 4300) {
      this.#listener.onRefused({ state: 'closed', code, reason })
      return
    }
    if (code >= 4100 && code < 4200) this.#credentials.refuse()
    const random = backoff(this.#platform, this.#failures++, this.#waited)
    const ms = this.#notBefore === undefined ? random : Math.max(0, this.#notBefore - now)
    this.#notBefore = undefined
    this.#waited += ms
    this.#wait = this.#platform.later(ms, () => this.#connect())
    this.#listener.onOffline()
    if (this.#wait === undefined) return
    if (this.#listener.isNeeded()) {
      this.#listener.onStatus({ state: 'waiting', retryInMs: ms, code, reason })
    } else {
      this.#wait()
      this.#wait = undefined
      this.#listener.onStatus({ state: 'idle', code, reason })
    }
  }
}
