import { WebSocket } from 'ws'

/**
 * Closes a socket: accepted packets are answered first, whichever side closes it. (D83) The wait for answers is
 * limited.
 */

/** Maximum wait for answers; much less without rights, because the client gets no events meanwhile. (RT12) */
const defaultMs = 5_000
const withoutRightsMs = 500

export interface PartingOptions {
  /** Stops accepting packets. */
  readonly begin: () => void
  /** Whether every accepted packet is answered. */
  readonly isIdle: () => boolean
  /** Resolves when every accepted packet is answered. */
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
   * Closes once everything is answered. The first reason counts; a later one may only shorten the wait.
   * @param leave called once
   */
  begin(leave: () => void, hasRights: boolean): void {
    if (this.#leave === null) {
      this.#leave = leave
      this.#options.begin()
      if (this.#options.isIdle()) this.#end()
      else void this.#options.idle().then(() => this.#end())
    }
    if (!this.#hasLeft) setTimeout(() => this.#end(), hasRights ? defaultMs : withoutRightsMs).unref()
  }

  #end(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    this.#leave?.()
  }
}

/**
 * The library answers a client's close frame, and invalid frames, immediately. This socket calls `onParting` instead,
 * whose owner closes it after the remaining answers.
 */
export class PartingSocket extends WebSocket {
  /** Called before the socket is closed; null to close immediately. */
  onParting: ((leave: () => void) => void) | null = null

  override close(code?: number, reason?: string | Buffer): void {
    if (this.onParting === null) super.close(code, reason)
    else this.onParting(() => super.close(code, reason))
  }
}
