/** A queue in which each account has a line of its own, and the lines take turns. (D81) */

type Begin = () => void

/** The owner of a piece of work: an account, or the service itself. */
export interface Holder {
  /** GUID; null for the service itself. */
  readonly account: string | null
  /** The name of the work, which has a line of its own where there is no account. */
  readonly work: string
}

export class FairLine {
  readonly #atOnce: number
  readonly #most: number
  readonly #maxOfAccount: number
  /** The lines with waiting work; the first line has the next turn. */
  readonly #lines = new Map<string, Begin[]>()
  /** The number of waiting and running pieces of work of each account. */
  readonly #held = new Map<string, number>()
  /** Resolves the promises that `idle` has returned. */
  readonly #ends: (() => void)[] = []
  #active = 0
  #waiting = 0

  /**
   * @param atOnce the maximum of running work
   * @param most the maximum of running and waiting work
   * @param maxOfAccount the same for one account
   */
  constructor(atOnce: number, most: number, maxOfAccount: number) {
    this.#atOnce = atOnce
    this.#most = most
    this.#maxOfAccount = maxOfAccount
  }

  /** Why new work is refused now; null when it is accepted. */
  refusalOf({ account }: Holder): 'full' | 'account' | null {
    if (account !== null && (this.#held.get(account) ?? 0) >= this.#maxOfAccount) return 'account'
    return this.#active + this.#waiting >= this.#most ? 'full' : null
  }

  async run<T>({ account, work }: Holder, task: () => Promise<T>): Promise<T> {
    if (account !== null) this.#held.set(account, (this.#held.get(account) ?? 0) + 1)
    try {
      if (this.#active < this.#atOnce) this.#active++
      else await this.#turn(account ?? ` ${work}`)
      try {
        return await task()
      } finally {
        this.#active--
        this.#next()
      }
    } finally {
      if (account !== null) this.#release(account)
    }
  }

  /** Resolves when no work is running or waiting. */
  async idle(): Promise<void> {
    if (this.#active > 0) await new Promise<void>((end) => this.#ends.push(end))
  }

  #turn(line: string): Promise<void> {
    this.#waiting++
    return new Promise((begin) => {
      const waiting = this.#lines.get(line)
      if (waiting === undefined) this.#lines.set(line, [begin])
      else waiting.push(begin)
    })
  }

  /** Gives the turn to the line that has waited longest for one, and moves this line to the end. */
  #next(): void {
    const [first] = this.#lines
    if (first === undefined) {
      if (this.#active === 0) for (const end of this.#ends.splice(0)) end()
      return
    }
    const [line, [begin, ...rest]] = first
    this.#lines.delete(line)
    if (rest.length > 0) this.#lines.set(line, rest)
    this.#waiting--
    this.#active++
    begin?.()
  }

  #release(account: string): void {
    const left = (this.#held.get(account) ?? 1) - 1
    if (left > 0) this.#held.set(account, left)
    else this.#held.delete(account)
  }
}
