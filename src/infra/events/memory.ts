import QuickLRU from 'quick-lru'
import type { Head, LoggedTouch } from './head.ts'

interface Entry<T> {
  readonly value: T
  readonly tags: readonly string[]
}

const maxTouched = 20_000

/**
 * Things derived from records, each kept until an event touches one of the records that it was made from. Whoever reads
 * must have caught up with the log (`Head.catchUp`) since their request arrived: that is what keeps a remembered thing
 * from being older than what anybody was told.
 */
export class Memory<T> {
  readonly #head: Head
  readonly #entries: QuickLRU<string, Entry<T>>
  readonly #keysByTag = new Map<string, Set<string>>()
  /** When each tag was last touched, so that a thing whose making began before that is not kept. */
  readonly #touchedAt = new Map<string, number>()
  #forgottenUpTo = 0

  /** Holds up to `maxEntries`, and for a short while twice that. */
  constructor(head: Head, maxEntries: number) {
    this.#head = head
    this.#entries = new QuickLRU({ maxSize: maxEntries, onEviction: (key, entry) => this.#unlink(key, entry) })
    head.onEvent((event) => this.#forget(event))
    head.onRestart((lastSeq) => this.#forgetAll(lastSeq))
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)?.value
  }

  /** To be taken before the first read that a thing is made from, and given to `keep` with it. */
  get startingPoint(): number {
    return this.#head.seq
  }

  /** `tags`: the records, by GUID or name, that the thing was made from. */
  keep(key: string, value: T, tags: readonly string[], startingPoint: number): void {
    if (tags.length === 0 || startingPoint < this.#forgottenUpTo) return
    if (tags.some((tag) => (this.#touchedAt.get(tag) ?? -1) > startingPoint)) return
    this.#drop(key)
    this.#entries.set(key, { value, tags })
    for (const tag of tags) {
      const keys = this.#keysByTag.get(tag)
      if (keys === undefined) this.#keysByTag.set(tag, new Set([key]))
      else keys.add(key)
    }
  }

  #forget(event: LoggedTouch): void {
    for (const tag of event.touches) {
      this.#touchedAt.set(tag, event.seq)
      for (const key of this.#keysByTag.get(tag) ?? []) this.#drop(key)
    }
    if (this.#touchedAt.size > maxTouched) {
      this.#touchedAt.clear()
      this.#forgottenUpTo = event.seq
    }
  }

  /** What is being made now is not kept either: it began no later than at `lastSeq`. */
  #forgetAll(lastSeq: number): void {
    this.#entries.clear()
    this.#keysByTag.clear()
    this.#touchedAt.clear()
    this.#forgottenUpTo = lastSeq + 1
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#unlink(key, entry)
  }

  #unlink(key: string, entry: Entry<T>): void {
    for (const tag of entry.tags) {
      const keys = this.#keysByTag.get(tag)
      keys?.delete(key)
      if (keys?.size === 0) this.#keysByTag.delete(tag)
    }
  }
}
