/** How much may wait for one reader: a mebibyte, plus one packet that is itself larger; and for how long. (RT30) */

/** From this size on, new packets are not queued but caught up later. */
export const fullAt = 256 * 1024
const maxWaiting = 1024 * 1024
const takeMs = 10_000

export class Waiting {
  /** Size of the largest packet that is not yet completely sent. */
  #largest = 0
  /** Total bytes queued so far, and the total at the end of that largest packet. */
  #come = 0
  #maxEnd = 0

  /** Whether the queue is so long that more packets would only wait. */
  isFull(waiting: number): boolean {
    return waiting > fullAt
  }

  /**
   * Notes a new packet.
   * @param waiting bytes that wait now, including its own
   */
  add(bytes: number, waiting: number): void {
    this.#forget(waiting - bytes)
    this.#come += bytes
    if (bytes < this.#largest) return
    this.#largest = bytes
    this.#maxEnd = this.#come
  }

  /** Whether more waits than allowed. One packet may exceed the limit by itself; packets after it may not. */
  isOverfull(waiting: number): boolean {
    this.#forget(waiting)
    return waiting - this.#largest > maxWaiting
  }

  /** Forgets the largest packet once it is sent. */
  #forget(waiting: number): void {
    if (this.#come - waiting >= this.#maxEnd) this.#largest = 0
  }
}

/**
 * Whether a reader reads at all, as far as the operating system shows: it accepts bytes when its buffer has room, and
 * has room again when the peer has read a third of the buffer, which is some megabytes at most.
 */
export class Taking {
  /** When progress was last seen, and the number of bytes sent by then. */
  #at: number
  #taken = 0

  constructor(now: number) {
    this.#at = now
  }

  /** Starts the time without progress. */
  begin(taken: number, now: number): void {
    this.#taken = taken
    this.#at = now
  }

  /**
   * Checks for progress; to be called about once a second.
   * @param taken bytes sent in total
   * @param waiting bytes still to be sent
   */
  look(taken: number, waiting: number, now: number): void {
    if (waiting === 0 || taken !== this.#taken) this.begin(taken, now)
  }

  /** Whether nothing was sent for too long. */
  isStuck(waiting: number, now: number): boolean {
    return waiting > 0 && now - this.#at > takeMs
  }
}

/** Lets callers wait until a reader has read most of its queue. */
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

  /** Checks the room again, after bytes were sent or the reader has left. */
  lookAgain(): void {
    for (const lookAgain of this.#waiting.splice(0)) lookAgain()
  }
}
