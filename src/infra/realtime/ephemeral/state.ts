/**
 * The values of an ephemeral topic: for each key the newest value of each writer, and the last of these as the key's
 * value. (RT21, RT22)
 */

/** A value of a key by one writer. */
export interface Entry {
  readonly key: string
  readonly writer: string
  /** The connection that wrote it, whose close deletes it; null for values of the service. */
  readonly connection: string | null
  /** The writer's own count of its values; a higher one is newer. */
  readonly seq: number
  /** Orders the values of several writers in the same way in all processes. */
  readonly version: number
  /** JSON; null for a key that its writer has deleted. */
  readonly text: string | null
  /** Time of expiry in milliseconds since the epoch, by the clock of this process. */
  readonly until: number
}

interface Key {
  readonly entries: Map<string, Entry>
  shown: Entry
  /** Number of the change that set its present value. */
  changedAt: number
}

export interface Changes {
  /** Members of a JSON object, by key. */
  readonly states: string
  readonly gone: readonly string[]
}

const maxKeys = 64
const maxWriters = 8

export class State {
  readonly #keys = new Map<string, Key>()
  /** Deleted keys, with the number of the change that deleted them. */
  readonly #gone = new Map<string, number>()
  #count = 0
  #full: string | undefined
  /** Number of changes so far. */
  changes = 0

  /** Whether nothing is known, not even a deletion. */
  get isEmpty(): boolean {
    return this.#keys.size === 0
  }

  /** Whether the maximum number of keys is reached, for a key without a value. */
  isFullFor(key: string): boolean {
    return this.#count >= maxKeys && (this.#keys.get(key)?.shown.text ?? null) === null
  }

  /** Version for the next value of a key: higher than all known ones, whatever the clocks of other processes. */
  versionAt(key: string, now: number): number {
    return Math.max(now, (this.#keys.get(key)?.shown.version ?? 0) + 1)
  }

  entryOf(key: string, writer: string): Entry | undefined {
    return this.#keys.get(key)?.entries.get(writer)
  }

  /** Whether the value is already known: a repetition, or older than the known one. */
  knows({ key, writer, seq }: Pick<Entry, 'key' | 'writer' | 'seq'>, isGone: boolean): boolean {
    const before = this.entryOf(key, writer)
    return before !== undefined && !isNewer({ seq, isGone }, before)
  }

  /**
   * Merges a value written here or elsewhere. The result does not depend on the order of the values.
   * @returns whether it was new
   */
  merge(entry: Entry): boolean {
    const { key: name, writer } = entry
    const known = this.#keys.get(name)
    const before = known?.entries.get(writer)
    if (before !== undefined && !isNewer({ seq: entry.seq, isGone: entry.text === null }, before)) return false
    if (entry.text !== null && this.isFullFor(name)) return false
    const key = known ?? { entries: new Map<string, Entry>(), shown: entry, changedAt: 0 }
    if (known === undefined) this.#keys.set(name, key)
    key.entries.set(writer, entry)
    if (key.entries.size > maxWriters) key.entries.delete(first(key.entries.values(), isBelow).writer)
    const was = known === undefined ? null : key.shown.text
    key.shown = first(key.entries.values(), (one, other) => isBelow(other, one))
    this.#note(name, key, was)
    return true
  }

  /** Deletes values that were not renewed in time. */
  expire(now: number): void {
    for (const [name, key] of this.#keys) {
      if (key.shown.until > now) continue
      const was = key.shown.text
      // The expired value had replaced the values of other writers, which do not return.
      this.#keys.delete(name)
      if (was !== null) this.#noteGone(name)
    }
  }

  /** All known entries. */
  entries(): Entry[] {
    return [...this.#keys.values()].flatMap(({ entries }) => [...entries.values()])
  }

  /** All values, as the members of a JSON object. */
  full(): string {
    this.#full ??= membersOf([...this.#keys])
    return this.#full
  }

  changesSince(change: number): Changes {
    return {
      states: membersOf([...this.#keys].filter(([, { changedAt }]) => changedAt > change)),
      gone: [...this.#gone].filter(([, goneAt]) => goneAt > change).map(([key]) => key),
    }
  }

  /** Deletes records of changes up to this one, which no receiver needs any more. */
  forgetUntil(change: number): void {
    for (const [key, goneAt] of this.#gone) if (goneAt <= change) this.#gone.delete(key)
  }

  #note(name: string, key: Key, was: string | null): void {
    const { text } = key.shown
    if (text === was) return
    if (text === null) {
      this.#noteGone(name)
      return
    }
    if (was === null) this.#count++
    this.#gone.delete(name)
    this.#full = undefined
    key.changedAt = ++this.changes
  }

  #noteGone(name: string): void {
    this.#count--
    this.#full = undefined
    this.#gone.set(name, ++this.changes)
  }
}

/** A deletion by a writer counts as later than the value with the same number. */
function isNewer({ seq, isGone }: { readonly seq: number; readonly isGone: boolean }, than: Entry): boolean {
  return seq > than.seq || (seq === than.seq && isGone && than.text !== null)
}

function isBelow(one: Entry, other: Entry): boolean {
  return one.version < other.version || (one.version === other.version && one.writer < other.writer)
}

function first(entries: Iterable<Entry>, isBefore: (one: Entry, other: Entry) => boolean): Entry {
  return [...entries].reduce((best, entry) => (isBefore(entry, best) ? entry : best))
}

function membersOf(keys: readonly (readonly [string, Key])[]): string {
  return keys
    .filter(([, { shown }]) => shown.text !== null)
    .map(([name, { shown }]) => `${JSON.stringify(name)}:${shown.text}`)
    .join()
}
