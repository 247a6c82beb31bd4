import type { Credential } from '../../http/admission.ts'
import type { Sink } from '../doors/frame.ts'
import type { Topic } from './topics.ts'
import type { Track, View } from './view.ts'

/** Who follows what. */

export interface Viewer {
  /** As it was verified last: it is another one once its bearer may do more, or less. */
  credential: Credential
  readonly ip: string
}

export type Ending = 'unsubscribed' | 'forbidden' | 'gone' | 'invalid' | 'too_large'

export interface Wanted {
  readonly topic: Topic
  readonly facts: boolean
  /** Where the follower stood when it was here before, and what it held then. */
  readonly since?: string | undefined
  readonly etag?: string | undefined
  /** Comes back in the answer. */
  readonly id?: string | number | undefined
  /** Calls back when the feed ends it. */
  readonly onEnd: (subscription: Subscription, reason: Ending) => void
}

/** With its options, as packets name it. */
export function nameOf({ topic: { name, isDelayed }, facts }: Pick<Wanted, 'topic' | 'facts'>): string {
  if (!facts) return name
  return isDelayed ? name.replace(/delayed=1$/, 'facts=1&delayed=1') : `${name}${name.includes('?') ? '&' : '?'}facts=1`
}

/** Somebody who follows a topic. */
export class Subscription {
  readonly wanted: Wanted
  readonly sink: Sink
  viewer: Viewer
  view: View<Subscription> | null = null
  track: Track<Subscription> | null = null
  position = ''
  /** From the start: what happens before its first answer is told by that. */
  isBehind = true
  /** What it is to get is being put together; nothing else of the topic may come before. */
  isAnswering = true
  isOver = false
  /** Of the topic, as it was when its follower was judged last. */
  tournament: string | null = null

  constructor(wanted: Wanted, viewer: Viewer, sink: Sink) {
    this.wanted = wanted
    this.viewer = viewer
    this.sink = sink
  }

  /** As later packets call it. */
  get name(): string {
    return nameOf(this.wanted)
  }

  /** Gets what the view sends from now on. */
  enter(view: View<Subscription>): void {
    const track = this.wanted.facts ? view.withFacts : view.plain
    if (track === null) throw new Error('a view tells no facts yet')
    this.view = view
    this.track = track
    track.followers.add(this)
  }

  /** Answers the view that it has left; null where it was in none. */
  leave(): View<Subscription> | null {
    const { view, track } = this
    this.view = null
    this.track = null
    track?.followers.delete(this)
    return view
  }
}
