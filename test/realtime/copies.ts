import type { Json, PatchOperation } from '../../src/core/patch.ts'
import { patched } from '../patched.ts'
import { checkPacket } from './packets-check.ts'

/** A client's copies of the topics that it follows, made only from packets; invalid packets are errors. */

export interface Fact {
  readonly id: string
  readonly type: string
  readonly subject: { readonly kind: string | null; readonly guid: string | null }
  readonly at: string
  readonly changed: readonly string[]
  readonly by?: string | null
  readonly before?: unknown
  readonly after?: unknown
}

// biome-ignore lint/suspicious/noExplicitAny: packets of every kind, whose forms the description's test checks.
export type Packet = any

export interface Copy {
  body: Json | undefined
  position: string
  etag: string
  ended: string | null
  readonly facts: Fact[]
}

export class Copies {
  readonly packets: Packet[] = []
  readonly all = new Map<string, Copy>()
  #waiting: (() => void)[] = []
  /** The position over all topics, for streams. */
  since: string | undefined

  of(topic: string): Copy {
    const copy = this.all.get(topic)
    if (copy === undefined) throw new Error(`nothing of ${topic} has come: ${[...this.all.keys()]}`)
    return copy
  }

  take(packet: Packet): void {
    checkPacket(packet, 'outgoing')
    this.packets.push(packet)
    if (packet.since !== undefined) this.since = packet.since
    this.#apply(packet)
    for (const wake of this.#waiting.splice(0)) wake()
  }

  #apply(packet: Packet): void {
    const { type, topic, position, etag, facts = [] } = packet
    if (topic === undefined || type === 'error') return
    const held = this.all.get(topic)
    switch (type) {
      case 'snapshot':
        this.all.set(topic, {
          body: packet.body,
          position,
          etag,
          ended: null,
          facts: [...(held?.facts ?? []), ...facts],
        })
        return
      case 'resumed':
        this.all.set(topic, { body: held?.body, position, etag, ended: null, facts: held?.facts ?? [] })
        return
      case 'event':
        if (held === undefined) throw new Error(`${topic} changed before it was there`)
        if (held.position !== packet.after) throw new Error(`a packet of ${topic} does not follow the one before`)
        held.body = patched(held.body as Json, packet.patch as PatchOperation[])
        held.position = position
        held.etag = etag
        held.facts.push(...facts)
        return
      case 'ended':
        if (held !== undefined) held.ended = packet.reason
    }
  }

  /** Resolves when the received values satisfy the condition. */
  async until(isThere: (copies: Copies) => boolean, what: string, withinMs = 60_000): Promise<void> {
    const until = Date.now() + withinMs
    while (!isThere(this)) {
      const left = until - Date.now()
      if (left <= 0) throw new Error(`${what} did not come: ${JSON.stringify(this.packets.slice(-3)).slice(0, 2_000)}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        this.#waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }
}
