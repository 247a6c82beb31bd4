import type { WebSocket } from 'ws'

/** The signs of life of a socket: requested, received, and missing ones. (RT28) */

const silenceMs = 60_000

export interface HeartbeatOptions {
  /** Asks the client for a sign of life. */
  readonly ask: () => void
  /** Whether pings are answered: not while the client reads nothing. */
  readonly mayAnswer: () => boolean
  readonly now: number
}

export class Heartbeat {
  readonly #socket: WebSocket
  readonly #options: HeartbeatOptions
  /** When the client was last heard, and when it is next asked for a sign of life. */
  #heardAt: number
  #askAt = 0
  /** The ping that is still to be answered. */
  #ping: Buffer | null = null

  constructor(socket: WebSocket, options: HeartbeatOptions) {
    this.#socket = socket
    this.#options = options
    this.#heardAt = options.now
    for (const sign of ['message', 'pong', 'ping']) socket.on(sign, () => this.#hear())
    socket.on('ping', (data: Buffer) => this.#takePing(data))
  }

  #hear(): void {
    this.#heardAt = Date.now()
  }

  /** Of several pings at once only the last is answered. (RFC 6455 §5.5.3) */
  #takePing(data: Buffer): void {
    if (this.#ping === null) {
      setImmediate(() => {
        const ping = this.#ping
        this.#ping = null
        if (ping !== null && this.#options.mayAnswer()) this.#socket.pong(ping)
      })
    }
    this.#ping = data
  }

  isSilent(now: number): boolean {
    return now - this.#heardAt > silenceMs
  }

  /** Asks for a sign of life if it is due; the first call only schedules it. */
  look(now: number, next: () => number): void {
    if (now < this.#askAt) return
    if (this.#askAt > 0) this.#options.ask()
    this.#askAt = next()
  }

  /** Time of the next check, in milliseconds since the epoch. */
  get dueAt(): number {
    return Math.min(this.#askAt, this.#heardAt + silenceMs + 1)
  }
}
