import type { Problem } from '../../../core/problem.ts'
import { Frame, type Sink } from '../doors/frame.ts'
import type { Ending, Viewer } from '../durable/subscription.ts'
import type { Judged, Party } from '../ephemeral/rights.ts'
import type { DocumentAddress, HeldDocument, Told } from './kind.ts'

/** The state that a client has from an earlier subscription. */
export interface Asked {
  readonly id?: string | number | undefined
  readonly generation?: number | undefined
  readonly vector?: Uint8Array | undefined
}

export interface DocumentWanted {
  readonly address: DocumentAddress
  /** GUID of the connection, as its `hello` gives it. */
  readonly connection: string
  /** Called when the service ends the subscription. */
  readonly onEnd: (subscription: DocumentSubscription, reason: Ending) => void
  /** Called when the follower's rights have changed. */
  readonly onChange: (subscription: DocumentSubscription) => void
}

/** A follower's subscription to a document. */
export class DocumentSubscription implements Party {
  readonly wanted: DocumentWanted
  readonly sink: Sink
  viewer: Viewer
  judged: Judged | null = null
  /** Client id for edits; null for a read-only follower. */
  clientId: number | null = null
  /** Whether the subscription was answered; before that, a refusal is the answer. */
  isAnswered = false
  /** Whether updates build on the follower's state. */
  isCurrent = false
  /** Further edits are ignored: the follower has lost the right, or sent a hostile edit. */
  isBarred = false
  isOver = false
  /** The state vector that a slow follower had when updates were skipped; null for a follower that is up to date. */
  behind: Uint8Array | null = null

  constructor(wanted: DocumentWanted, viewer: Viewer, sink: Sink) {
    this.wanted = wanted
    this.viewer = viewer
    this.sink = sink
  }

  get address(): DocumentAddress {
    return this.wanted.address
  }

  get name(): string {
    return this.address.topic.name
  }

  get user(): string | null {
    return this.judged?.actor.guid ?? null
  }

  /** Every change over a socket needs the scope `ws:write`. */
  get mayEdit(): boolean {
    const { judged } = this
    if (judged === null || judged.actor.guid === null || !judged.actor.scopes.has('ws:write')) return false
    return this.address.document.edits(judged.actor, judged.records as never)
  }

  readOnly(): Problem {
    return this.address.document.readOnly()
  }

  stay(judged: Judged): void {
    const could = this.mayEdit
    this.judged = judged
    if (this.isAnswered && could !== this.mayEdit) this.wanted.onChange(this)
  }

  end(reason: Ending, sinks: Set<Sink>): void {
    if (this.isOver) return
    this.isOver = true
    if (this.isAnswered) {
      this.sink.send(new Frame({ type: 'ended', topic: this.name, reason }))
      sinks.add(this.sink)
    }
    this.wanted.onEnd(this, reason)
  }

  /** Sends everything that the follower lacks. */
  answer(held: HeldDocument, update: Uint8Array, id?: string | number): void {
    const { generation, vector, revision } = held
    const body = {
      generation,
      update: textOf(update),
      vector: textOf(vector),
      clientId: this.clientId,
      readOnly: this.clientId === null,
      revision,
    }
    this.isAnswered = true
    this.isCurrent = true
    this.behind = null
    this.sink.send(new Frame({ type: 'snapshot', ...(id === undefined ? {} : { id }), topic: this.name, body }))
    this.sink.endStep()
  }

  /** Sends skipped updates after the queue has drained. (RT30) */
  catchUp(held: HeldDocument): void {
    if (this.behind === null || this.sink.isFull || this.isOver) return
    const data = held.since(this.behind)
    this.behind = null
    if (data !== null) this.sink.send(updateFrame(this.name, { data, revision: held.revision, by: null }))
    this.sink.endStep()
  }
}

export function updateFrame(topic: string, { data, revision, by }: Pick<Told, 'data' | 'revision' | 'by'>): Frame {
  return new Frame({ type: 'update', topic, data: textOf(data), revision, by })
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}
