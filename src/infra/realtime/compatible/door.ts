import type { Codec } from '../doors/codec.ts'
import type { Frame } from '../doors/frame.ts'
import { Topics } from '../durable/topics.ts'
import { CompatibleCodec } from './codec.ts'
import { loadPacking, type Packing } from './packing.ts'
import type { CompatibleRead } from './read.ts'
import { event } from './wire.ts'

/**
 * Serves clients of Socket.IO with MessagePack. Their messages are translated into packets, and packets into messages,
 * so that rights, limits, back-pressure and closing are those of any other connection. These clients can follow only
 * the reads that are declared for them.
 */

export async function openCompatibleDoor(reads: readonly CompatibleRead[]): Promise<CompatibleDoor> {
  return new CompatibleDoor(reads, await loadPacking())
}

/** An outgoing packet, parsed again. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of any form.
export type Told = Readonly<Record<string, any>>

/** The state of a read that a follower has. */
export interface Held {
  readonly read: CompatibleRead
  readonly etag: string
  readonly body: never
}

export class CompatibleDoor {
  readonly path = '/socket.io/'
  readonly topics: Topics
  readonly packing: Packing
  /** The reads by the events that request them. */
  readonly reads: ReadonlyMap<string, CompatibleRead>
  /** Parsed packets that went to many: followers with the same earlier state get the same messages. */
  readonly #packets = new WeakMap<Frame, Told>()
  readonly #pushes = new WeakMap<Frame, { readonly since: string; readonly frames: readonly Frame[] }>()

  constructor(reads: readonly CompatibleRead[], packing: Packing) {
    this.packing = packing
    this.topics = new Topics(reads.map(({ operation }) => operation))
    this.reads = new Map(reads.map((read) => [read.event, read]))
  }

  newCodec(): Codec {
    return new CompatibleCodec(this)
  }

  emit(name: string, argument: object): Frame {
    return event(name, this.packing.pack(argument))
  }

  packetOf(frame: Frame): Told {
    const known = this.#packets.get(frame)
    if (known !== undefined) return known
    const packet = JSON.parse(frame.text)
    this.#packets.set(frame, packet)
    return packet
  }

  /** The messages for the change from the follower's state to the state in a packet. */
  pushesOf(frame: Frame, { read, etag, body }: Held): readonly Frame[] {
    const known = this.#pushes.get(frame)
    if (known?.since === etag) return known.frames
    const after = this.packetOf(frame).body as never
    const frames = read.changes(body, after).map((push) => this.emit(push.event, { [push.member]: after }))
    this.#pushes.set(frame, { since: etag, frames })
    return frames
  }
}
