import type { Credential } from '../../http/admission.ts'
import type { Sink } from '../doors/frame.ts'
import type { Topic } from './topics.ts'
import type { Track, View } from './view.ts'

/** The caller who follows a topic. */

export interface Viewer {
  /** The credential as it was last verified; it is replaced when its bearer's rights change. */
  credential: Credential
  readonly ip: string
}

export type Ending = 'unsubscribed' | 'forbidden' | 'gone' | 'invalid' | 'too_large'

export interface Wanted {
  readonly topic: Topic
  readonly facts: boolean
  /** The follower's last position, and the ETag of the state that it has. */
  readonly since?: string | undefined
  readonly etag?: string | undefined
  /** Repeated in the answer. */
  readonly id?: string | number | undefined
  /** Called when the feed ends the subscription. */
  readonly onEnd: (subscription: Subscription, reason: Ending) => void
}

/** The name with its options, as in packets. */
export function nameOf({ topic: { name, isDelayed }, facts }: Pick<Wanted, 'topic' | 'facts'>): string {
  if (!facts) return name
  return isDelayed ? name.replace(/delayed=1$/, 'facts=1&delayed=1') : `${name}${name.includes('?') ? '&' : '?'}facts=1`
}

/** A subscription to a topic. */
export class Subscription {
  readonly wanted: Wanted
  readonly sink: Sink
  viewer: Viewer
  view: View<Subscription> | null = null
  track: Track<Subscription> | null = null
  position = ''
  /** True from the start: the first answer includes all events before it. */
  isBehind = true
  /** The next state is being prepared; nothing else of the topic may be sent before it. */
  isAnswering = true
  isOver = false
  /** The topic's tournament, as of the last check. */
  tournament: string | null = null

  constructor(wanted: Wanted, viewer: Viewer, sink: Sink) {
    this.wanted = wanted
    this.viewer = viewer
    this.sink = sink
  }

  /** The name used in later packets. */
  get name(): string {
    return nameOf(this.wanted)
  }

  /** Attaches the subscription to a view, whose packets it gets from now on. */
  enter(view: View<Subscription>): void {
    const track = this.wanted.facts ? view.withFacts : view.plain
    if (track === null) throw new Error('a view tells no facts yet')
    this.view = view
    this.track = track
    track.followers.add(this)
  }

  /** Detaches the subscription; returns its view, or null where it had none. */
  leave(): View<Subscription> | null {
    const { view, track } = this
    this.view = null
    this.track = null
    track?.followers.delete(this)
    return view
  }
}
