import type { Codec } from '../doors/codec.ts'
import type { Frame } from '../doors/frame.ts'
import { Topics } from '../durable/topics.ts'
import { CompatibleCodec } from './codec.ts'
import { loadPacking, type Packing } from './packing.ts'
import type { CompatibleRead } from './read.ts'
import { event } from './wire.ts'

/**
 * The door for clients that know the service by Socket.IO with MessagePack. What they say is turned into packets and what they are told
 * is made of packets, so that all of a connection (rights, limits, back-pressure, how it ends) is what it is for any other; but they
 * follow nothing else than the reads that are declared for them.
 */

export async function openCompatibleDoor(reads: readonly CompatibleRead[]): Promise<CompatibleDoor> {
  return new CompatibleDoor(reads, await loadPacking())
}

/** A packet of ours, as it is read again. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of any form.
export type Told = Readonly<Record<string, any>>

/** What a follower holds of a read. */
export interface Held {
  readonly read: CompatibleRead
  readonly etag: string
  readonly body: never
}

export class CompatibleDoor {
  readonly path = '/socket.io/'
  readonly topics: Topics
  readonly packing: Packing
  /** By the events that ask for them. */
  readonly reads: ReadonlyMap<string, CompatibleRead>
  /** What was made of packets that went to many: those who held the same before are told the same. */
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

  /** How what somebody holds has become what a packet holds. */
  pushesOf(frame: Frame, { read, etag, body }: Held): readonly Frame[] {
    const known = this.#pushes.get(frame)
    if (known?.since === etag) return known.frames
    const after = this.packetOf(frame).body as never
    const frames = read.changes(body, after).map((push) => this.emit(push.event, { [push.member]: after }))
    this.#pushes.set(frame, { since: etag, frames })
    return frames
  }
}
