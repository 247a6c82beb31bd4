import type { Clock } from './clock.ts'
import type { Credential, Credentials } from './credentials.ts'
import { RealtimeError } from './errors.ts'
import type { UserCard } from './generated.ts'
import { millisecondsOf, type ServerPacket } from './packets.ts'
import type { Cancel, Platform } from './platform.ts'
import type { Socket } from './socket.ts'

/** How long before its end a token is renewed; half of the remaining time if that is less. */
const marginMs = 60_000
/**
 * With less time left the token is not renewed: the service closes the connection, and the next one starts with a new
 * token.
 */
const minMs = 2_000
/** The longest timer until the next check of the end, because timers do not run while a machine sleeps. */
const maxMs = 3_600_000

/** The authentication of the client on one socket. */
export class Session {
  readonly #platform: Platform
  readonly #clock: Clock
  readonly #credentials: Credentials
  readonly #socket: Socket
  #renewal: Cancel = () => {}
  #isStopped = false

  constructor(platform: Platform, clock: Clock, credentials: Credentials, socket: Socket) {
    this.#platform = platform
    this.#clock = clock
    this.#credentials = credentials
    this.#socket = socket
  }

  /**
   * Authenticates the client. After a refused token a new one is requested once.
   *
   * @returns null for an anonymous client
   */
  async start(): Promise<UserCard | null> {
    for (let attempt = 0; attempt < 2; attempt++) {
      const credential = await this.#credentials.get()
      if (credential === null || this.#isStopped) return null
      const answer = await this.#authenticate(credential)
      if (answer.type === 'authenticated') {
        if ('token' in credential) this.#plan(answer.expiresAt)
        return answer.user
      }
      if (answer.type === 'error' && new RealtimeError(answer).isTransient) {
        // Going on anonymously would end the topics that need a user.
        this.#socket.fail()
        return null
      }
      this.#credentials.refuse()
    }
    return null
  }

  stop(): void {
    this.#isStopped = true
    this.#renewal()
  }

  /** Resolves with the answer, and never when the connection ends before it. */
  async #authenticate(credential: Credential): Promise<ServerPacket> {
    const answer = await new Promise<ServerPacket>((resolve) => {
      this.#socket.send({ type: 'authenticate', ...credential }, resolve)
    })
    if (answer.type === 'authenticated' && answer.limits !== undefined) this.#socket.setLimits(answer.limits)
    return answer
  }

  #plan(expiresAt: string | null): void {
    if (expiresAt === null || this.#isStopped) return
    const left = millisecondsOf(expiresAt) - this.#clock.now()
    if (left < minMs) return
    const ms = Math.max(left - marginMs, left / 2)
    this.#renewal = this.#platform.later(Math.min(ms, maxMs), () => {
      if (ms > maxMs) this.#plan(expiresAt)
      else void this.#renew(expiresAt)
    })
  }

  async #renew(expiresAt: string | null): Promise<void> {
    const credential = await this.#credentials.renew()
    if (this.#isStopped) return
    if (credential === null) return this.#plan(expiresAt)
    const answer = await this.#authenticate(credential)
    if (this.#isStopped) return
    if (answer.type === 'authenticated') this.#plan(answer.expiresAt)
    // The token belongs to another user now, who needs a new connection.
    else if (answer.type === 'error' && answer.code === 'connection.authenticated') this.#socket.fail()
    else this.#plan(expiresAt)
  }
}
