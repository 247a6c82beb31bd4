import { RealtimeError } from './errors.ts'
import type { ServerPacket, TopicPacket } from './packets.ts'
import type { Platform } from './platform.ts'
import { Followed } from './topic.ts'

/** Documents that several people edit at once: what they consist of is handed on, whatever merges it. (overlays: Co-editing) */

/** What the service says of one; bytes are base64. */
export interface SceneSnapshot {
  /** Another one than the one held: begin with a new one, into which nothing of the old fits. */
  readonly generation: number
  /** What was lacked. */
  readonly update: string
  /** State vector of the service. */
  readonly vector: string
  /** Id to write by from now on; null for whoever reads only. */
  readonly clientId: number | null
  readonly readOnly: boolean
  readonly revision: number
}

export interface SceneOptions {
  /** What is held when the document is asked for; nothing at first. */
  readonly held: () => Pick<SceneSnapshot, 'generation' | 'vector'> | undefined
  /** The document begins, goes on after a break, or may be edited by somebody who only read, or the other way round. */
  readonly onSnapshot: (snapshot: SceneSnapshot) => void
  /** Somebody else has changed it. */
  readonly onUpdate: (update: string) => void
}

/** Sends a packet about the topic. */
export type Send = (packet: object, onAnswer: (answer: ServerPacket) => void) => void

export class SceneTopic extends Followed {
  /** The last snapshot, with the revision that the document has come to since */
  declare value: SceneSnapshot | undefined
  readonly #platform: Platform
  readonly #options: SceneOptions
  /** Not known to be stored. */
  #unsent: string[] = []
  /** Whether the first of them is under way: since which snapshot, or later. */
  #sending: object | undefined
  #send: Send | undefined
  #seq = 0

  constructor(name: string, platform: Platform, options: SceneOptions) {
    super(name, {})
    this.#platform = platform
    this.#options = options
  }

  override attach(send: Send): void {
    this.#send = send
  }

  receive(packet: TopicPacket): boolean {
    if (packet.type === 'update') {
      this.#options.onUpdate(packet.data)
      this.#stand(packet)
    } else if (packet.type === 'snapshot') {
      const { value } = this
      this.value = packet.body as SceneSnapshot
      if (value && value.generation !== this.value.generation) this.#unsent = []
      this.#options.onSnapshot(this.value)
      this.become('live')
      this.#sending = undefined
      this.#next()
    }
    return true
  }

  resume(): object {
    return this.#options.held() ?? {}
  }

  forgetPosition(): void {}

  /** Keeps an update until it is known to be stored, over breaks too; of at most 64 KiB, or the service refuses it. */
  update(data: string): void {
    this.#unsent.push(data)
    this.#next()
  }

  /** One after another: those behind rest on those before. What was under way is sent again behind a snapshot. */
  #next(): void {
    const [data] = this.#unsent
    if (!data || this.#sending || this.value?.readOnly !== false) return
    const sending = {}
    this.#sending = sending
    this.#send?.({ type: 'update', data, seq: ++this.#seq }, (answer) => {
      if (this.#sending !== sending) return
      this.#sending = undefined
      if (answer.type === 'accepted') {
        this.#unsent.shift()
        this.#stand(answer)
        this.#next()
      } else if (answer.type === 'error' && new RealtimeError(answer).isTransient) {
        // Of any other refusal the service tells by the topic's end, or a snapshot.
        this.#platform.later(answer.retryAfterMs ?? 1_000, () => this.#next())
      }
    })
  }

  #stand({ revision }: { readonly revision: number }): void {
    if (this.value) this.value = { ...this.value, revision }
    this.tell([])
  }
}
