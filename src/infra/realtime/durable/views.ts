import { ownAudience, type TouchingEvent } from './facts.ts'
import { audienceWithin } from './held-audience.ts'
import type { Subscription } from './subscription.ts'
import type { Topic } from './topics.ts'
import type { Body, View } from './view.ts'

/** The views of a process, indexed by the records that they depend on. */

export function keyOf(topic: Topic, audience: string): string {
  return `${audience} ${topic.name}`
}

/** Minimum milliseconds between two changes of a view. (RT9) */
const paceMs = 50
const ownPaceMs = 1_000
/** Maximum number of bodies read in a step; the others wait for the next. */
const maxOfStep = 100
const kilobyte = 1024
const paces = [
  { above: 1024 * kilobyte, ms: 1_000 },
  { above: 64 * kilobyte, ms: 250 },
]

export class Views {
  readonly #byKey = new Map<string, View<Subscription>>()
  readonly #byTag = new Map<string, Set<View<Subscription>>>()
  /** Views that must be read again, each with the number of the event up to which it is complete. */
  readonly #touched = new Map<View<Subscription>, number>()
  /** Views among them that changed only because of the time: they wait for the others. */
  readonly #byTime = new Set<View<Subscription>>()
  /** Views touched by an event of their own follower: they do not wait. */
  readonly #urgent = new Set<View<Subscription>>()
  /** Views that must be read in this step in any case. */
  readonly #hurried = new Set<View<Subscription>>()
  /**
   * Number of the newest event that the last or the current step includes: a view read as of an older event was not
   * included.
   */
  reached = 0

  get size(): number {
    return this.#byKey.size
  }

  [Symbol.iterator](): Iterator<View<Subscription>> {
    return this.#byKey.values()
  }

  get(key: string): View<Subscription> | undefined {
    return this.#byKey.get(key)
  }

  has(view: View<Subscription>): boolean {
    return this.#byKey.get(view.key) === view
  }

  isTouched(view: View<Subscription>): boolean {
    return this.#touched.has(view)
  }

  add(view: View<Subscription>): void {
    this.#byKey.set(view.key, view)
    this.#tag(view, view.body.tags)
    if (view.body.seq < this.reached) this.#touched.set(view, view.body.seq)
  }

  dropUnlessFollowed(view: View<Subscription>): void {
    if (view.isFollowed || !this.has(view)) return
    this.#byKey.delete(view.key)
    this.#settle(view)
    this.#untag(view, view.body.tags)
  }

  touchAll(): void {
    for (const view of this) this.#touch(view, Math.min(view.body.seq, this.reached))
  }

  #touch(view: View<Subscription>, upTo: number): void {
    if (!this.#touched.has(view)) this.#touched.set(view, upTo)
  }

  /**
   * Notes the views that events touch and that do not show them yet, and those that have changed with time.
   * @param upTo number of the last event noted before
   */
  note(events: readonly TouchingEvent[], upTo: number, now: number): void {
    for (const event of events) {
      for (const tag of event.touches) {
        for (const view of this.#byTag.get(tag) ?? []) {
          if (view.body.seq >= event.seq) continue
          this.#touch(view, upTo)
          this.#byTime.delete(view)
          if (event.actor !== null && audienceWithin(view.audience).startsWith(ownAudience + event.actor))
            this.#urgent.add(view)
        }
      }
    }
    for (const view of this) {
      if (view.body.until > now || this.#touched.has(view)) continue
      this.#touch(view, upTo)
      this.#byTime.add(view)
    }
  }

  /** Forces an outdated view into this step, because a new follower may have seen its change in another process. */
  hurry(view: View<Subscription>): void {
    if (this.#touched.has(view)) this.#hurried.add(view)
  }

  /** The views to read now, of those that are complete up to event `from`. */
  due(now: number, from: number): readonly View<Subscription>[] {
    const due = [...this.#touched]
      .filter(([view, upTo]) => upTo >= from && (view.pausedUntil <= now || this.#urgent.has(view)))
      .map(([view]) => view)
    const { byTime = [], byEvent = [] } = Object.groupBy(due, (view) => (this.#byTime.has(view) ? 'byTime' : 'byEvent'))
    return [...new Set([...this.#hurried, ...[...byEvent, ...byTime].slice(0, maxOfStep)])]
  }

  /** Whether a view must be read again now, or will have changed by itself at that time. */
  isDue(now: number): boolean {
    return this.#touched.size > 0 || this.nextAt <= now
  }

  /** Time of the next read, in milliseconds since the epoch; infinity for none. */
  get nextAt(): number {
    let next = Number.POSITIVE_INFINITY
    for (const view of this.#touched.keys()) {
      // A view is read with the rights of a follower, so one without followers cannot be read.
      if (view.countFollowers() > 0) next = Math.min(next, view.pausedUntil)
    }
    for (const { body } of this) next = Math.min(next, body.until)
    return next
  }

  /** Number of the event after which events must be read again, for the oldest of the outdated views. */
  oldest(seq: number): number {
    let from = seq
    for (const upTo of this.#touched.values()) from = Math.min(from, upTo)
    return from
  }

  /** Notes that a view was read: it now depends on other records. */
  refresh(view: View<Subscription>, { tags }: Body): void {
    this.#settle(view)
    const old = view.body.tags
    if (old.size === tags.size && [...old].every((tag) => tags.has(tag))) return
    this.#untag(view, old)
    if (this.has(view)) this.#tag(view, tags)
  }

  #settle(view: View<Subscription>): void {
    this.#touched.delete(view)
    this.#byTime.delete(view)
    this.#urgent.delete(view)
    this.#hurried.delete(view)
  }

  #tag(view: View<Subscription>, tags: ReadonlySet<string>): void {
    for (const tag of tags) {
      const views = this.#byTag.get(tag)
      if (views === undefined) this.#byTag.set(tag, new Set([view]))
      else views.add(view)
    }
  }

  #untag(view: View<Subscription>, tags: ReadonlySet<string>): void {
    for (const tag of tags) {
      const views = this.#byTag.get(tag)
      views?.delete(view)
      if (views?.size === 0) this.#byTag.delete(tag)
    }
  }
}

/** Minimum milliseconds between two changes of a view, by its size and audience. (RT9) */
export function paceOf({ topic, audience, body }: View<Subscription>): number {
  const { length } = body.text
  const bySize = paces.find(({ above }) => length > above)?.ms ?? 0
  const byAudience = audienceWithin(audience).startsWith(ownAudience) ? ownPaceMs : paceMs
  return Math.max(bySize, byAudience, topic.operation.live.paceMs ?? 0)
}
