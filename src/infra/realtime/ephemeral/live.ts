import { Frame, type Sink } from '../doors/frame.ts'
import { type Entry, State } from './state.ts'

/** An ephemeral topic in a process: its values, and how they are sent to its followers. (RT21) */

/** A follower of the topic. */
export interface Receiver {
  readonly sink: Sink
  /** The name under which it subscribed. */
  readonly name: string
  /** Maximum packets per second. */
  readonly rate: number
  /** Whether it reads more slowly than values change: it gets all present values once its queue has drained. */
  isBehind: boolean
}

/** Receivers that get the same packets at the same times. */
interface Group {
  readonly name: string
  readonly intervalMs: number
  readonly receivers: Set<Receiver>
  /** Number of the last change that was sent. */
  told: number
  toldAt: number
  timer: NodeJS.Timeout | undefined
}

const writesPerSecond = 15
const second = 1_000

export class Live {
  readonly name: string
  readonly state = new State()
  readonly #groups = new Map<string, Group>()
  /** Number of writes in the current second, by key. */
  readonly #windows = new Map<string, { readonly since: number; count: number }>()
  /** Resolves when the other processes have had time to send their values. */
  readonly whole = Promise.withResolvers<void>()
  isWhole = false
  /** Called with each new value. */
  readonly onMerge = new Set<(entry: Entry) => void>()

  constructor(name: string) {
    this.name = name
    void this.whole.promise.then(() => {
      this.isWhole = true
    })
  }

  get isFollowed(): boolean {
    return this.#groups.size > 0
  }

  join(receiver: Receiver): void {
    const key = groupOf(receiver)
    let group = this.#groups.get(key)
    if (group === undefined) {
      const { name, rate } = receiver
      group = {
        name,
        intervalMs: second / rate,
        receivers: new Set(),
        timer: undefined,
        told: this.state.changes,
        toldAt: Number.NEGATIVE_INFINITY,
      }
      this.#groups.set(key, group)
    }
    group.receivers.add(receiver)
  }

  leave(receiver: Receiver): void {
    const key = groupOf(receiver)
    const group = this.#groups.get(key)
    if (group?.receivers.delete(receiver) !== true || group.receivers.size > 0) return
    clearTimeout(group.timer)
    this.#groups.delete(key)
  }

  /** A packet with all values; `id` is that of the subscription that it answers. */
  full({ name }: Pick<Receiver, 'name'>, id?: string | number): Frame {
    const answered = id === undefined ? '' : `"id":${JSON.stringify(id)},`
    return new Frame(
      `{"type":"state",${answered}"topic":${JSON.stringify(name)},"states":{${this.state.full()}},"gone":[],"full":true}`,
    )
  }

  /** Sends all values to a receiver that skipped packets, after its queue has drained. */
  catchUp(receiver: Receiver): void {
    if (!receiver.isBehind || receiver.sink.isFull) return
    receiver.isBehind = false
    receiver.sink.send(this.full(receiver))
    receiver.sink.endStep()
  }

  merge(entry: Entry): boolean {
    const before = this.state.changes
    const isNew = this.state.merge(entry)
    if (this.state.changes !== before) this.#schedule()
    if (isNew) for (const listener of this.onMerge) listener(entry)
    return isNew
  }

  expire(now: number): void {
    const before = this.state.changes
    this.state.expire(now)
    if (this.state.changes !== before) this.#schedule()
    if (!this.isFollowed) this.state.forgetUntil(this.state.changes)
    for (const [key, { since }] of this.#windows) if (since + second <= now) this.#windows.delete(key)
  }

  /** Whether a write of the key is within the limit per second. */
  takes(key: string, now: number): boolean {
    const window = this.#windows.get(key)
    if (window === undefined || window.since + second <= now) {
      this.#windows.set(key, { since: now, count: 1 })
      return true
    }
    window.count++
    return window.count <= writesPerSecond
  }

  close(): void {
    for (const { timer } of this.#groups.values()) clearTimeout(timer)
    this.#groups.clear()
    this.whole.resolve()
  }

  #schedule(): void {
    const now = performance.now()
    for (const group of this.#groups.values()) {
      group.timer ??= setTimeout(() => this.#tell(group), Math.max(0, group.toldAt + group.intervalMs - now))
    }
  }

  #tell(group: Group): void {
    group.timer = undefined
    group.toldAt = performance.now()
    const { states, gone } = this.state.changesSince(group.told)
    group.told = this.state.changes
    const frame = new Frame(
      `{"type":"state","topic":${JSON.stringify(group.name)},"states":{${states}},"gone":${JSON.stringify(gone)},"full":false}`,
    )
    let full: Frame | undefined
    for (const receiver of group.receivers) {
      const { sink } = receiver
      if (sink.isFull) {
        receiver.isBehind = true
        continue
      }
      if (receiver.isBehind) full ??= this.full(group)
      sink.send(receiver.isBehind ? (full as Frame) : frame)
      receiver.isBehind = false
      sink.endStep()
    }
    this.state.forgetUntil(Math.min(...[...this.#groups.values()].map(({ told }) => told)))
  }
}

function groupOf({ name, rate }: Receiver): string {
  return `${rate} ${name}`
}
