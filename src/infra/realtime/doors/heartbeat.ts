import type { WebSocket } from 'ws'

/** Signs of life of a socket: those that are asked for, those that are given, and those that do not come. (RT28) */

const silenceMs = 60_000

export interface HeartbeatOptions {
  /** Asks its client for a sign of life. */
  readonly ask: () => void
  /** Whether its pings are answered: not while it takes nothing of what was sent. */
  readonly mayAnswer: () => boolean
  readonly now: number
}

export class Heartbeat {
  readonly #socket: WebSocket
  readonly #options: HeartbeatOptions
  /** When something was heard last, and when a sign is asked for. */
  #heardAt: number
  #askAt = 0
  /** That is still to be answered. */
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

  /** Of pings that come together the last is answered. (RFC 6455 §5.5.3) */
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

  /** Asks for a sign of life, where that is due; the first time it finds out when. */
  look(now: number, next: () => number): void {
    if (now < this.#askAt) return
    if (this.#askAt > 0) this.#options.ask()
    this.#askAt = next()
  }

  /** When it is to be looked at again, in milliseconds since the epoch. */
  get dueAt(): number {
    return Math.min(this.#askAt, this.#heardAt + silenceMs + 1)
  }
}
