/** How much may wait to be taken by one reader, a mebibyte and one packet that is larger than that, and for how long. (RT30) */

/** More only waits, too. */
export const fullAt = 256 * 1024
const mostWaiting = 1024 * 1024
const takeMs = 10_000

export class Waiting {
  /** The largest packet of which something waits still, and how much of what waits stood behind it when it came. */
  #largest = 0
  /** Bytes that have come in all, and how many of them stand up to the end of that packet. */
  #come = 0
  #largestEnd = 0

  /** Whether more would only wait. */
  isFull(waiting: number): boolean {
    return waiting > fullAt
  }

  /**
   * A packet has come.
   * @param waiting bytes that wait now, with its own
   */
  add(bytes: number, waiting: number): void {
    this.#forget(waiting - bytes)
    this.#come += bytes
    if (bytes < this.#largest) return
    this.#largest = bytes
    this.#largestEnd = this.#come
  }

  /** Whether more waits than may. A packet may be larger than that by itself; what comes behind it may not. */
  isOverfull(waiting: number): boolean {
    this.#forget(waiting)
    return waiting - this.#largest > mostWaiting
  }

  /** Of a packet that was taken nothing is to be made up for. */
  #forget(waiting: number): void {
    if (this.#come - waiting >= this.#largestEnd) this.#largest = 0
  }
}

/**
 * Whether a reader takes anything, as far as the system tells: it takes bytes from us when it has room for them, and has room again
 * when its peer has taken a third of what it holds, which are some megabytes at most.
 */
export class Taking {
  /** When it was seen last that bytes were taken, and how many had been. */
  #at: number
  #taken = 0

  constructor(now: number) {
    this.#at = now
  }

  /** It is from now on that something has to be taken. */
  begin(taken: number, now: number): void {
    this.#taken = taken
    this.#at = now
  }

  /**
   * Looks whether anything was; once a second, say.
   * @param taken bytes in all
   * @param waiting bytes that are to be taken yet
   */
  look(taken: number, waiting: number, now: number): void {
    if (waiting === 0 || taken !== this.#taken) this.begin(taken, now)
  }

  /** Whether nothing was taken for too long. */
  isStuck(waiting: number, now: number): boolean {
    return waiting > 0 && now - this.#at > takeMs
  }
}

/** Whoever waits until a reader has taken what waits but for a little, before they ask for more. */
export class Room {
  readonly #isThere: () => boolean
  readonly #waiting: (() => void)[] = []

  /** @param isThere whether there is room, or never will be */
  constructor(isThere: () => boolean) {
    this.#isThere = isThere
  }

  get isAwaited(): boolean {
    return this.#waiting.length > 0
  }

  async wait(): Promise<void> {
    while (!this.#isThere()) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
    }
  }

  /** Something was taken, or nothing will be any more. */
  lookAgain(): void {
    for (const lookAgain of this.#waiting.splice(0)) lookAgain()
  }
}
