import { Frame, type Sink } from '../doors/frame.ts'
import type { Ending, Viewer } from '../durable/subscription.ts'
import { nowhere } from '../durable/topic-positions.ts'
import type { Live, Receiver } from './live.ts'
import type { Judged, Party } from './rights.ts'
import type { Address } from './topic.ts'

export interface EphemeralWanted {
  readonly address: Address
  /** Maximum packets per second. */
  readonly rate?: number | undefined
  /** Repeated in the answer. */
  readonly id?: string | number | undefined
  /** Called when the service ends the subscription. */
  readonly onEnd: (subscription: EphemeralSubscription) => void
}

/** Default maximum of packets per second. (RT21) */
const defaultRate = 4

/** A subscription to an ephemeral topic. */
export class EphemeralSubscription implements Party, Receiver {
  readonly address: Address
  readonly sink: Sink
  readonly rate: number
  readonly id: string | number | undefined
  readonly position = nowhere
  readonly #onEnd: (subscription: EphemeralSubscription) => void
  readonly #leave: (subscription: EphemeralSubscription) => void
  readonly #move: (subscription: EphemeralSubscription) => void
  viewer: Viewer
  judged: Judged | null = null
  live: Live | null = null
  isBehind = false
  isOver = false

  constructor(
    { address, rate = defaultRate, id, onEnd }: EphemeralWanted,
    { viewer, sink }: { readonly viewer: Viewer; readonly sink: Sink },
    { leave, move }: Readonly<Record<'leave' | 'move', (subscription: EphemeralSubscription) => void>>,
  ) {
    this.address = address
    this.rate = rate
    this.id = id
    this.viewer = viewer
    this.sink = sink
    this.#onEnd = onEnd
    this.#leave = leave
    this.#move = move
  }

  get name(): string {
    return this.address.topic.name
  }

  stay(judged: Judged): void {
    const isMoved = this.judged !== null && this.judged.isLate !== judged.isLate
    this.judged = judged
    if (isMoved && this.live !== null) this.#move(this)
  }

  end(reason: Ending, sinks: Set<Sink>): void {
    if (this.isOver) return
    const wasAnswered = this.live !== null
    this.#leave(this)
    // Before the answer, a refusal is the answer.
    if (!wasAnswered) return
    this.sink.send(new Frame({ type: 'ended', topic: this.name, reason }))
    sinks.add(this.sink)
    this.#onEnd(this)
  }
}
