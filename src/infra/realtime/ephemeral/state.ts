/** What an ephemeral topic holds: of each key the newest value of each of its writers, and of these the last. (RT21, RT22) */

/** A value of a key by one writer. */
export interface Entry {
  readonly key: string
  readonly writer: string
  /** Whose closing takes it away; null for what the service itself writes. */
  readonly connection: string | null
  /** The writer's count. */
  readonly seq: number
  /** Orders the values of several writers, alike in all processes. */
  readonly version: number
  /** JSON; null for a key that its writer has taken away. */
  readonly text: string | null
  /** When it expires, in milliseconds since the epoch, by the clock of this process. */
  readonly until: number
}

interface Key {
  readonly entries: Map<string, Entry>
  shown: Entry
  /** Number of the change by which it got its present value. */
  changedAt: number
}

export interface Changes {
  /** Members of a JSON object, by key. */
  readonly states: string
  readonly gone: readonly string[]
}

const mostKeys = 64
const mostWriters = 8

export class State {
  readonly #keys = new Map<string, Key>()
  /** Keys that are gone, with the number of the change by which they went. */
  readonly #gone = new Map<string, number>()
  #count = 0
  #full: string | undefined
  /** How many changes there have been. */
  changes = 0

  /** Whether nothing is known, not even of what was taken away. */
  get isEmpty(): boolean {
    return this.#keys.size === 0
  }

  /** Whether there is no room for a key that has no value yet. */
  isFullFor(key: string): boolean {
    return this.#count >= mostKeys && (this.#keys.get(key)?.shown.text ?? null) === null
  }

  /** Of the next value of a key: higher than all that are known, whatever the clocks of other processes say. */
  versionAt(key: string, now: number): number {
    return Math.max(now, (this.#keys.get(key)?.shown.version ?? 0) + 1)
  }

  entryOf(key: string, writer: string): Entry | undefined {
    return this.#keys.get(key)?.entries.get(writer)
  }

  /** Whether that is all known already: it comes again, or has been overtaken. */
  knows({ key, writer, seq }: Pick<Entry, 'key' | 'writer' | 'seq'>, isGone: boolean): boolean {
    const before = this.entryOf(key, writer)
    return before !== undefined && !isNewer({ seq, isGone }, before)
  }

  /**
   * Takes in what was written, here or elsewhere. In whichever order all that was written comes, the outcome is the same.
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
    if (key.entries.size > mostWriters) key.entries.delete(first(key.entries.values(), isBelow).writer)
    const was = known === undefined ? null : key.shown.text
    key.shown = first(key.entries.values(), (one, other) => isBelow(other, one))
    this.#note(name, key, was)
    return true
  }

  /** Forgets what was not renewed in time. */
  expire(now: number): void {
    for (const [name, key] of this.#keys) {
      if (key.shown.until > now) continue
      const was = key.shown.text
      // Other writers' values were replaced by it, and do not come back.
      this.#keys.delete(name)
      if (was !== null) this.#noteGone(name)
    }
  }

  /** All that is known. */
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

  /** Nobody asks any more for changes up to this one. */
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

/** That a writer takes a key away counts as later than the value that they wrote with the same number. */
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
