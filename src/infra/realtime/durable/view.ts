import { type Frame, type Sink, withMember } from '../doors/frame.ts'
import type { Tally } from '../measures.ts'
import { type Change, unchanged } from './change.ts'
import type { Fact } from './facts.ts'
import { type Positions, type Told, tellsNothing } from './positions.ts'
import type { Topic } from './topics.ts'

/** A body of a topic as it stands. */
export interface Body {
  readonly text: string
  readonly etag: string
  readonly tags: ReadonlySet<string>
  /** When it changes by itself, in milliseconds since the epoch; infinity for never. */
  readonly until: number
  /** Number of the newest event that was looked at when it was read. */
  readonly seq: number
  /** Number of the newest event that it shows: of what is delayed, an older one. */
  readonly shown: number
  /** Seconds; undefined for what was not asked for so. */
  readonly delayedBy: number | undefined
}

export interface Follower {
  readonly sink: Sink
  /** What was sent to it last. */
  position: string
  /** It takes more slowly than the topic changes: it gets the present state once it has taken what waits. (RT30) */
  isBehind: boolean
}

/** Packets that somebody who was away may still get. */
const mostKept = 256

interface Kept {
  readonly after: string
  /** Of the state before the packet. */
  readonly etag: string
  readonly frame: Frame
}

/** What followers of a kind are sent: those who are told of facts, and those who are not, have packets of their own. */
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

  /** Packets since a position, and the ETag of the state that stood there; null for one that is not known any more. */
  since(position: string): { readonly etag: string; readonly frames: readonly Frame[] } | null {
    const index = this.#kept.findLastIndex(({ after }) => after === position)
    const kept = this.#kept[index]
    return kept === undefined ? null : { etag: kept.etag, frames: this.#kept.slice(index).map(({ frame }) => frame) }
  }

  /** @param most bytes that all kept packets may have */
  keep(kept: Kept, most: number): void {
    const { frame } = kept
    this.#kept.push(kept)
    this.#keptBytes += frame.text.length
    while (this.#kept.length > mostKept || this.#keptBytes > most) {
      this.#keptBytes -= this.#kept.shift()?.frame.text.length ?? 0
    }
  }

  /** After a packet that holds the whole state, what led there is not worth keeping. */
  forget(): void {
    this.#kept.length = 0
    this.#keptBytes = 0
  }
}

/** Kept packets of a small topic may have so many bytes together; those of a large one a few times its own. */
const leastKeptBytes = 256 * 1024
const keptBodies = 4

interface ViewOptions {
  readonly positions: Positions
  readonly tally: Tally
}

/** A topic as an audience sees it. */
export class View<F extends Follower> {
  readonly key: string
  readonly topic: Topic
  readonly audience: string
  readonly #positions: Positions
  readonly #tally: Tally
  body: Body
  /** Milliseconds since the epoch before which no change is told. (RT9) */
  pausedUntil = 0
  /** How often in a row it could not be read, for a reason of its own. */
  failures = 0
  /** For those who are not told of facts. */
  readonly plain: Track<F>
  /** For those who are, once there are any. */
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

  /** How many are about to follow: until they do, it is kept for them. */
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

  /** @param told the last fact that the audience could be told of */
  addFacts(name: string, told: Told): void {
    this.withFacts ??= new Track(name, this.#positionOf(told), told)
  }

  /** Sends what has changed to everybody who follows. */
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
    else track.keep({ after, etag: before, frame }, Math.max(leastKeptBytes, keptBodies * this.body.text.length))
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
