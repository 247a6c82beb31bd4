import type { Delay, Late as Whose } from '../../delay/store.ts'
import { Live } from './live.ts'
import type { Entry } from './state.ts'

/**
 * An ephemeral topic as viewers of a stream that is behind see it: what is written comes into it when the stream has come
 * there, once a second. Of what was written before the first of them came nothing is known. (RT41)
 */

interface Second {
  /** When it was over, in milliseconds since the epoch. */
  readonly at: number
  /** What was written last in it, by key and writer; with how long it was to be there. */
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

  /** @param whose delay it is */
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

  /** Lets come what is due. */
  advance(now: number): void {
    const shown = this.#shownAt(now)
    for (let next = this.#waiting[0]; next !== undefined && next.at <= shown; next = this.#waiting[0]) {
      this.#waiting.shift()
      for (const { leftMs, ...entry } of next.entries.values()) this.live.merge({ ...entry, until: now + leftMs })
    }
  }

  /** What is shown is of this instant, in milliseconds since the epoch; see `shown_instant`. */
  #shownAt(now: number): number {
    const { seconds, notBefore } = this.delay
    return seconds === 0 ? Number.POSITIVE_INFINITY : Math.max(now - seconds * second, notBefore?.getTime() ?? 0)
  }

  close(): void {
    this.#source.onMerge.delete(this.#take)
    this.live.close()
  }
}
