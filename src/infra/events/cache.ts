import type { Head, LoggedTouch } from './head.ts'

interface Entry<T> {
  readonly value: T
  readonly tags: readonly string[]
  readonly bytes: number
}

/** What an entry takes beside its value, key and tags, and what a tag takes beside its text; measured, and rounded up. */
const entryBytes = 300
const tagBytes = 400

/**
 * Things derived from records, each kept until an event touches one of the records that it was made from, or until room
 * is needed for others that were used since. Whoever reads must have caught up with the log (`Head.catchUp`) since their
 * request arrived: that is what keeps a remembered thing from being older than what anybody was told.
 */
export class Cache<T> {
  readonly #head: Head
  readonly #maxBytes: number
  readonly #sizeOf: (value: T) => number
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry<T>>()
  #bytes = 0
  readonly #keysByTag = new Map<string, Set<string>>()

  /**
   * @param maxBytes that all entries together may take, with their keys and tags
   * @param sizeOf bytes that a value takes
   */
  constructor(head: Head, maxBytes: number, sizeOf: (value: T) => number) {
    this.#head = head
    this.#maxBytes = maxBytes
    this.#sizeOf = sizeOf
    head.onEvent((event) => this.#forget(event))
    head.onRestart(() => this.#forgetAll())
  }

  /** How much of its bound is used. */
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

  /** To be taken before the first read that a thing is made from, and given to `keep` with it. */
  get startingPoint(): number {
    return this.#head.point
  }

  /** `tags`: the records, by GUID or name, that the thing was made from. */
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
