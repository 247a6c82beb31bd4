/** Work that stands in line. Each account has a line of its own, and lines take turns. (D81) */

type Begin = () => void

/** Whose line it is: that of an account, or of work that nobody's account asked for. */
export interface Holder {
  /** GUID; null for the service itself. */
  readonly account: string | null
  /** What is done, where there is no account. */
  readonly work: string
}

export class FairLine {
  readonly #atOnce: number
  readonly #most: number
  readonly #mostOfAccount: number
  /** Lines with somebody in them; the first has the next turn. */
  readonly #lines = new Map<string, Begin[]>()
  /** Of each account, with those that are at work. */
  readonly #held = new Map<string, number>()
  /** Who waits for the end of all work. */
  readonly #ends: (() => void)[] = []
  #active = 0
  #waiting = 0

  /**
   * @param atOnce how many are at work
   * @param most with those that are at work
   * @param mostOfAccount likewise
   */
  constructor(atOnce: number, most: number, mostOfAccount: number) {
    this.#atOnce = atOnce
    this.#most = most
    this.#mostOfAccount = mostOfAccount
  }

  /** Why nobody else may stand in line now; null where they may. */
  refusalOf({ account }: Holder): 'full' | 'account' | null {
    if (account !== null && (this.#held.get(account) ?? 0) >= this.#mostOfAccount) return 'account'
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

  /** Resolves once nobody is at work or in line. */
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

  /** Gives the turn to the line that has had none for longest, which goes behind all others then. */
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
