import type { Delay, Late as Whose } from '../../delay/store.ts'
import { Live } from './live.ts'
import type { Entry } from './state.ts'

/**
 * An ephemeral topic as viewers of a delayed stream see it: values appear when the stream has reached their time, once
 * a second. Values written before the first follower came are unknown. (RT41)
 */

interface Second {
  /** The end of this second, in milliseconds since the epoch. */
  readonly at: number
  /** The last values of this second, by key and writer, with their remaining lifetimes. */
  readonly entries: Map<string, Entry & { readonly leftMs: number }>
}

const second = 1_000

export class Late {
  readonly live: Live
  readonly whose: Whose
  delay: Delay
  readonly #source: Live
  readonly #waiting: Second[] = []
  readonly #take = (entry: Entry) => this.take(entry, Date.now())

  /** @param whose tournament and match whose delay applies */
  constructor(source: Live, name: string, whose: Whose, delay: Delay) {
    this.live = new Live(name)
    this.whose = whose
    this.delay = delay
    this.#source = source
    const now = Date.now()
    for (const entry of source.state.entries()) this.take(entry, now)
    source.onMerge.add(this.#take)
    this.live.whole.resolve()
  }

  get isIdle(): boolean {
    return !this.live.isFollowed && this.live.state.isEmpty && this.#waiting.length === 0
  }

  take(entry: Entry, now: number): void {
    if (this.delay.seconds === 0 && this.#waiting.length === 0) {
      this.live.merge(entry)
      return
    }
    const at = Math.floor(now / second) * second + second
    let last = this.#waiting.at(-1)
    if (last === undefined || last.at < at) {
      last = { at, entries: new Map() }
      this.#waiting.push(last)
    }
    last.entries.set(`${entry.key} ${entry.writer}`, { ...entry, leftMs: entry.until - now })
  }

  /** Applies the values that are due. */
  advance(now: number): void {
    const shown = this.#shownAt(now)
    for (let next = this.#waiting[0]; next !== undefined && next.at <= shown; next = this.#waiting[0]) {
      this.#waiting.shift()
      for (const { leftMs, ...entry } of next.entries.values()) this.live.merge({ ...entry, until: now + leftMs })
    }
  }

  /** The instant that is shown, in milliseconds since the epoch; see `shown_instant`. */
  #shownAt(now: number): number {
    const { seconds, notBefore } = this.delay
    return seconds === 0 ? Number.POSITIVE_INFINITY : Math.max(now - seconds * second, notBefore?.getTime() ?? 0)
  }

  close(): void {
    this.#source.onMerge.delete(this.#take)
    this.live.close()
  }
}
