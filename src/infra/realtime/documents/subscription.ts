import type { Problem } from '../../../core/problem.ts'
import { Frame, type Sink } from '../doors/frame.ts'
import type { Ending, Viewer } from '../durable/subscription.ts'
import type { Judged, Party } from '../ephemeral/rights.ts'
import type { DocumentAddress, HeldDocument, Told } from './kind.ts'

/** What somebody had when they were here before. */
export interface Asked {
  readonly id?: string | number | undefined
  readonly generation?: number | undefined
  readonly vector?: Uint8Array | undefined
}

export interface DocumentWanted {
  readonly address: DocumentAddress
  /** As the `hello` of the connection names it. */
  readonly connection: string
  /** Calls back when it is ended from here. */
  readonly onEnd: (subscription: DocumentSubscription, reason: Ending) => void
  /** Calls back when they may do more, or less. */
  readonly onChange: (subscription: DocumentSubscription) => void
}

/** Somebody who follows a document. */
export class DocumentSubscription implements Party {
  readonly wanted: DocumentWanted
  readonly sink: Sink
  viewer: Viewer
  judged: Judged | null = null
  /** Id that they write by; null for whoever reads only. */
  clientId: number | null = null
  /** Whether they were answered: whoever was not is told by the answer. */
  isAnswered = false
  /** Whether updates lead on from what they have. */
  isCurrent = false
  /** Nothing more of theirs is taken: they have lost the right, or sent what nobody sends. */
  isBarred = false
  isOver = false
  /** What they had been told when they were too slow for more; null for whoever is not. */
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

  /** Whoever changes something over a socket needs the scope for that, too. */
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

  /** All that they lack. */
  answer(held: HeldDocument, update: Uint8Array, id?: string | number): void {
    const { generation, vector, revision } = held
    const body = {
      ...{ generation, update: textOf(update), vector: textOf(vector) },
      ...{ clientId: this.clientId, readOnly: this.clientId === null, revision },
    }
    this.isAnswered = true
    this.isCurrent = true
    this.behind = null
    this.sink.send(new Frame({ type: 'snapshot', ...(id === undefined ? {} : { id }), topic: this.name, body }))
    this.sink.endStep()
  }

  /** Whoever skipped updates has taken what waited. (RT30) */
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
