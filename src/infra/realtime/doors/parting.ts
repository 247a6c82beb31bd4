import { WebSocket } from 'ws'

/**
 * How a socket ends: what was accepted before is answered first, whoever closes it. (D83) Whoever takes too long is not waited
 * for.
 */

/** Longest wait for answers; of who has lost their rights, much less: they are told of nothing new meanwhile. (RT12) */
const usualMs = 5_000
const withoutRightsMs = 500

export interface PartingOptions {
  /** Takes nothing more. */
  readonly begin: () => void
  /** Whether everything that was accepted is answered. */
  readonly isIdle: () => boolean
  /** Resolves when it is. */
  readonly idle: () => Promise<void>
}

export class Parting {
  readonly #options: PartingOptions
  #leave: (() => void) | null = null
  #hasLeft = false

  constructor(options: PartingOptions) {
    this.#options = options
  }

  /**
   * Leaves once all is answered. The first reason to leave is the one that counts; a later one may shorten the wait.
   * @param leave called once
   */
  begin(leave: () => void, hasRights: boolean): void {
    if (this.#leave === null) {
      this.#leave = leave
      this.#options.begin()
      if (this.#options.isIdle()) this.#end()
      else void this.#options.idle().then(() => this.#end())
    }
    if (!this.#hasLeft) setTimeout(() => this.#end(), hasRights ? usualMs : withoutRightsMs).unref()
  }

  #end(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    this.#leave?.()
  }
}

/**
 * The library answers a client's farewell, and what is no frame, at once. This socket asks whoever holds it instead, who closes
 * it when the rest is answered.
 */
export class PartingSocket extends WebSocket {
  /** Asked before the socket is closed; null for closing at once. */
  onParting: ((leave: () => void) => void) | null = null

  override close(code?: number, reason?: string | Buffer): void {
    if (this.onParting === null) super.close(code, reason)
    else this.onParting(() => super.close(code, reason))
  }
}
