interface Entry<T> {
  readonly value: T
  readonly bytes: number
}

/** The size of an entry without its value and key; rounded up. */
const entryBytes = 200

/**
 * A cache of the most recently used values, with a limit of bytes. It is for values that never change for a key, or
 * that the caller can check for changes. The least recently used entry is removed first.
 */
export class LruCache<T> {
  readonly #maxBytes: number
  /** The least recently used entry is the first. */
  readonly #entries = new Map<string, Entry<T>>()
  #bytes = 0

  /** @param maxBytes the maximum size of all entries together, with their keys */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The used bytes. */
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
   * Caches a value, in place of the previous one for the key. A value that is too large is not cached, and no other
   * value is removed for it.
   * @param valueBytes the size of the value
   */
  keep(key: string, value: T, valueBytes: number): void {
    this.drop(key)
    const bytes = valueBytes + entryBytes + 2 * key.length
    if (bytes > this.#maxBytes) return
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break
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
