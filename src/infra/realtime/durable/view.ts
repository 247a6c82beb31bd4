import { type Frame, type Sink, withMember } from '../doors/frame.ts'
import type { Tally } from '../measures.ts'
import { type Change, unchanged } from './body-patch.ts'
import type { Fact } from './facts.ts'
import { type Positions, type Told, tellsNothing } from './topic-positions.ts'
import type { Topic } from './topics.ts'

/** The state of a topic. */
export interface Body {
  readonly text: string
  readonly etag: string
  readonly tags: ReadonlySet<string>
  /** When it changes without an event, in milliseconds since the epoch; infinity for never. */
  readonly until: number
  /** Number of the newest processed event when it was read. */
  readonly seq: number
  /** Number of the newest event that it shows; older for a delayed topic. */
  readonly shown: number
  /** Seconds of delay; undefined for a topic that is not delayed. */
  readonly delayedBy: number | undefined
}

export interface Follower {
  readonly sink: Sink
  /** The last position sent to it. */
  position: string
  /**
   * Whether the follower reads more slowly than the topic changes: it gets the present state once its queue has
   * drained. (RT30)
   */
  isBehind: boolean
}

/** Maximum number of packets kept for clients that reconnect. */
const maxKept = 256

interface Kept {
  readonly after: string
  /** ETag of the state before the packet. */
  readonly etag: string
  readonly frame: Frame
}

/** The packets for one kind of followers: those with facts and those without have separate packets. */
export class Track<F extends Follower> {
  readonly name: string
  readonly followers = new Set<F>()
  readonly #kept: Kept[] = []
  #keptBytes = 0
  position: string
  told: Told

  constructor(name: string, position: string, told: Told) {
    this.name = name
    this.position = position
    this.told = told
  }

  /** The packets since a position, and the ETag of the state at it; null for a position that is no longer known. */
  since(position: string): { readonly etag: string; readonly frames: readonly Frame[] } | null {
    const index = this.#kept.findLastIndex(({ after }) => after === position)
    const kept = this.#kept[index]
    return kept === undefined ? null : { etag: kept.etag, frames: this.#kept.slice(index).map(({ frame }) => frame) }
  }

  /** @param most maximum bytes of all kept packets */
  keep(kept: Kept, most: number): void {
    const { frame } = kept
    this.#kept.push(kept)
    this.#keptBytes += frame.text.length
    while (this.#kept.length > maxKept || this.#keptBytes > most) {
      this.#keptBytes -= this.#kept.shift()?.frame.text.length ?? 0
    }
  }

  /** A packet with the whole state makes earlier packets useless. */
  forget(): void {
    this.#kept.length = 0
    this.#keptBytes = 0
  }
}

/** Maximum bytes of kept packets: this many for a small topic, or a multiple of the body's size for a large one. */
const minKeptBytes = 256 * 1024
const keptBodies = 4

interface ViewOptions {
  readonly positions: Positions
  readonly tally: Tally
}

/** A topic as one audience sees it. */
export class View<F extends Follower> {
  readonly key: string
  readonly topic: Topic
  readonly audience: string
  readonly #positions: Positions
  readonly #tally: Tally
  body: Body
  /** Milliseconds since the epoch before which no change is sent. (RT9) */
  pausedUntil = 0
  /** Number of consecutive failures to read it, for a reason of its own. */
  failures = 0
  /** For followers without facts. */
  readonly plain: Track<F>
  /** For followers with facts, once there are any. */
  withFacts: Track<F> | null = null

  constructor(key: string, topic: Topic, audience: string, body: Body, { positions, tally }: ViewOptions) {
    this.#tally = tally
    this.key = key
    this.topic = topic
    this.audience = audience
    this.body = body
    this.#positions = positions
    this.plain = new Track(topic.name, positions.of(topic.name, audience, body.etag, tellsNothing), tellsNothing)
  }

  /** Number of followers about to join; the view is kept for them. */
  joining = 0

  get isFollowed(): boolean {
    return this.joining > 0 || this.plain.followers.size > 0 || (this.withFacts?.followers.size ?? 0) > 0
  }

  countFollowers(): number {
    return this.plain.followers.size + (this.withFacts?.followers.size ?? 0)
  }

  *followers(): Iterable<F> {
    yield* this.plain.followers
    if (this.withFacts !== null) yield* this.withFacts.followers
  }

  /** @param told the last fact that the audience could have received */
  addFacts(name: string, told: Told): void {
    this.withFacts ??= new Track(name, this.#positionOf(told), told)
  }

  /** Sends a change to all followers. */
  advance(body: Body, change: Change, facts: readonly Fact[], told: Told | null, at: string): void {
    const { etag } = this.body
    const isOther = body.etag !== etag
    this.body = body
    if (isOther) this.#send(this.plain, etag, change, undefined, at)
    if (this.withFacts !== null && (isOther || facts.length > 0)) {
      if (told !== null) this.withFacts.told = told
      this.#send(this.withFacts, etag, isOther ? change : unchanged, facts, at)
    }
  }

  #send(track: Track<F>, before: string, change: Change, facts: readonly Fact[] | undefined, at: string): void {
    const after = track.position
    track.position = this.#positionOf(track.told)
    const { name, position } = track
    const { etag } = this.body
    const isWhole = 'body' in change
    const frame = isWhole
      ? this.snapshot(track, { ...(facts?.length ? { facts } : {}) })
      : withMember(
          { type: 'event', topic: name, after, position, etag, at, ...(facts?.length ? { facts } : {}) },
          'patch',
          change.patch,
        )
    if (isWhole) track.forget()
    else track.keep({ after, etag: before, frame }, Math.max(minKeptBytes, keptBodies * this.body.text.length))
    for (const follower of track.followers) {
      if (!follower.isBehind && follower.sink.isFull) {
        follower.isBehind = true
        this.#tally.behind++
      }
      if (follower.isBehind) continue
      follower.position = position
      follower.sink.send(frame)
    }
  }

  /** A packet with the whole state. */
  snapshot(track: Track<F>, beside: Readonly<Record<string, unknown>>): Frame {
    const { name, position } = track
    const { etag, text, delayedBy } = this.body
    const late = delayedBy === undefined ? {} : { delayedBy }
    return withMember({ type: 'snapshot', topic: name, position, etag, ...late, ...beside }, 'body', text)
  }

  #positionOf(told: Told): string {
    return this.#positions.of(this.topic.name, this.audience, this.body.etag, told)
  }
}
