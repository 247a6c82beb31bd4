interface Entry<T> {
  readonly value: T
  readonly bytes: number
}

/** What an entry takes beside its value and key; rounded up. */
const entryBytes = 200

/**
 * Things that were asked for last, held in memory as long as there is room: for what its key stands for once and for all, or
 * what whoever asks can tell to be true still. The least recently used goes first.
 */
export class Recent<T> {
  readonly #mostBytes: number
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry<T>>()
  #bytes = 0

  /** @param mostBytes that all entries together may take, with their keys */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** How much of its bound is used. */
  get bytes(): number {
    return this.#bytes
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /**
   * In the place of what was held under the key; what has no room at all is not held, and drives out nothing else.
   * @param valueBytes that the value takes
   */
  keep(key: string, value: T, valueBytes: number): void {
    this.drop(key)
    const bytes = valueBytes + entryBytes + 2 * key.length
    if (bytes > this.#mostBytes) return
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#mostBytes) break
      this.drop(oldest)
    }
  }

  drop(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }
}
