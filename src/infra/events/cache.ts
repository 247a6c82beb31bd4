import type { Head, LoggedTouch } from './head.ts'

interface Entry<T> {
  readonly value: T
  readonly tags: readonly string[]
  readonly bytes: number
}

/** Bytes that an entry takes besides its value, key and tags, and a tag besides its text; measured, and rounded up. */
const entryBytes = 300
const tagBytes = 400

/**
 * A cache of values derived from records. An entry is kept until an event touches one of its records, or until it is
 * evicted as the least recently used. Before reading, a request must have caught up with the log (`Head.catchUp`) after
 * its arrival: this way a cached value is never older than an answer that any caller has already received.
 */
export class Cache<T> {
  readonly #head: Head
  readonly #maxBytes: number
  readonly #sizeOf: (value: T) => number
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry<T>>()
  #bytes = 0
  readonly #keysByTag = new Map<string, Set<string>>()

  /**
   * @param maxBytes maximum bytes of all entries, with their keys and tags
   * @param sizeOf bytes that a value takes
   */
  constructor(head: Head, maxBytes: number, sizeOf: (value: T) => number) {
    this.#head = head
    this.#maxBytes = maxBytes
    this.#sizeOf = sizeOf
    head.onEvent((event) => this.#forget(event))
    head.onRestart(() => this.#forgetAll())
  }

  /** Bytes in use. */
  get bytes(): number {
    return this.#bytes
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Must be read before the first read that a value is derived from, and passed to `keep` with the value. */
  get startingPoint(): number {
    return this.#head.point
  }

  /** `tags`: the records, by GUID or name, that the value was derived from. */
  keep(key: string, value: T, tags: readonly string[], startingPoint: number): void {
    if (tags.length === 0 || this.#head.mayBeTouchedSince(startingPoint, tags)) return
    this.#drop(key)
    const ofTags = tags.reduce((sum, tag) => sum + tagBytes + tag.length, 0)
    const bytes = this.#sizeOf(value) + entryBytes + 2 * key.length + ofTags
    if (bytes > this.#maxBytes) return
    this.#entries.set(key, { value, tags, bytes })
    this.#bytes += bytes
    for (const tag of tags) {
      const keys = this.#keysByTag.get(tag)
      if (keys === undefined) this.#keysByTag.set(tag, new Set([key]))
      else keys.add(key)
    }
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(oldest)
    }
  }

  #forget(event: LoggedTouch): void {
    for (const tag of event.touches) {
      const keys = this.#keysByTag.get(tag)
      if (keys !== undefined) for (const key of keys) this.#drop(key)
    }
  }

  #forgetAll(): void {
    this.#entries.clear()
    this.#bytes = 0
    this.#keysByTag.clear()
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
    for (const tag of entry.tags) {
      const keys = this.#keysByTag.get(tag)
      keys?.delete(key)
      if (keys?.size === 0) this.#keysByTag.delete(tag)
    }
  }
}
