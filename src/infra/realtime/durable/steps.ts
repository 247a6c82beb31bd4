/** Schedules steps: soon after a hint, at least once a second while there are subscriptions, and never two at once. */

export interface StepsOptions {
  /**
   * Runs a step.
   * @param isHinted whether there is a reason to expect an event, besides the passing of a second
   */
  readonly advance: (isHinted: boolean) => Promise<void>
  /** Time of the next change without an event, in milliseconds since the epoch. */
  readonly nextAt: () => number
  /** Whether there are no subscriptions. */
  readonly isIdle: () => boolean
  /** Milliseconds without a successful step after which the process counts as blind. */
  readonly blindMs: number
  readonly onBlind: () => void
  readonly onError: (error: unknown) => void
}

const pollMs = 1_000
/** Minimum milliseconds between two steps, so that events in quick succession share one. */
export const stepMs = 15
/** Delay after a failed step. */
const againMs = 200
const maxTimer = 60_000

export class Steps {
  readonly #options: StepsOptions
  #current: Promise<void> | null = null
  #next: Promise<void> | null = null
  #isWanted = false
  #isHinted = true
  #isClosed = false
  #isBlind = false
  #lookedAt: number
  /** Time of the last step's start. */
  #steppedAt = 0
  #timer: NodeJS.Timeout | undefined
  #timerAt = 0
  readonly #poll: NodeJS.Timeout

  constructor(options: StepsOptions) {
    this.#options = options
    this.#lookedAt = performance.now()
    this.#poll = setInterval(() => this.#watch(), pollMs).unref()
  }

  /** Whether the log was unreadable for too long. (RT34) */
  get isBlind(): boolean {
    return this.#isBlind
  }

  get sinceLookMs(): number {
    return performance.now() - this.#lookedAt
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Requests a step soon. */
  want(): void {
    this.#isHinted = true
    this.#wantLook()
  }

  #wantLook(): void {
    this.#isWanted = true
    if (this.#options.isIdle()) return
    this.#after(Math.max(this.#steppedAt + stepMs - performance.now(), 1))
  }

  /** Resolves when a step that began after this call is over: all waiting callers share the next one. */
  take(): Promise<void> {
    this.#isHinted = true
    return this.#take()
  }

  #take(): Promise<void> {
    if (this.#current === null) {
      this.#current = this.#advance()
      return this.#current
    }
    this.#next ??= this.#current.then(() => {
      this.#next = null
      return this.take()
    })
    return this.#next
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#poll)
    clearTimeout(this.#timer)
    await this.#current
  }

  async #advance(): Promise<void> {
    if (!this.#isClosed) {
      const isHinted = this.#isHinted
      this.#isWanted = this.#isHinted = false
      this.#steppedAt = performance.now()
      try {
        await this.#options.advance(isHinted)
        this.#lookedAt = performance.now()
        this.#isBlind = false
      } catch (error) {
        this.#options.onError(error)
        this.#isHinted = true
        this.#current = null
        return this.#after(againMs)
      }
    }
    this.#current = null
    if (this.#isWanted) this.#wantLook()
    else this.#after(Math.max(this.#options.nextAt() - Date.now(), 1))
  }

  #after(ms: number): void {
    const waitMs = Math.min(ms, maxTimer)
    const at = performance.now() + waitMs
    // Further hints must not delay the step.
    if (this.#isClosed || ms === Number.POSITIVE_INFINITY || (this.#timer !== undefined && this.#timerAt <= at)) return
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#take()
    }, waitMs).unref()
  }

  #watch(): void {
    const { isIdle, blindMs, onBlind } = this.#options
    if (isIdle()) {
      this.#lookedAt = performance.now()
      // Clients may connect only when the log is readable again.
      if (this.#isBlind) void this.take()
      return
    }
    if (performance.now() - this.#lookedAt > blindMs && !this.#isBlind) {
      this.#isBlind = true
      onBlind()
    }
    this.#wantLook()
  }
}
