import { RealtimeError } from './errors.ts'
import type { ServerPacket, TopicPacket } from './packets.ts'
import type { Platform } from './platform.ts'
import { Followed } from './topic.ts'

/**
 * Documents that several users edit at the same time. The client passes their updates on, and a library of the caller
 * merges them.
 */

/** A snapshot of a document; bytes are base64. */
export interface SceneSnapshot {
  /** When it differs from the current generation, start with a new document: nothing of the old one can be merged. */
  readonly generation: number
  /** The missing updates. */
  readonly update: string
  /** State vector of the service. */
  readonly vector: string
  /** The id for the client's own changes; null for readers. */
  readonly clientId: number | null
  readonly readOnly: boolean
  readonly revision: number
}

export interface SceneOptions {
  /** The current state of the document, or undefined at first. Called when the topic is subscribed to. */
  readonly held: () => Pick<SceneSnapshot, 'generation' | 'vector'> | undefined
  /** Called at the start, after an interruption, and when the right to edit has changed. */
  readonly onSnapshot: (snapshot: SceneSnapshot) => void
  /** Called with the change of another editor. */
  readonly onUpdate: (update: string) => void
}

/** Sends a packet about the topic. */
export type Send = (packet: object, onAnswer: (answer: ServerPacket) => void) => void

export class SceneTopic extends Followed {
  /** The last snapshot, with the current revision of the document. */
  declare value: SceneSnapshot | undefined
  readonly #platform: Platform
  readonly #options: SceneOptions
  /** Updates that are not known to be stored. */
  readonly unsent: string[] = []
  /** A token of the update that is being sent; undefined when there is none. */
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
      if (value && value.generation !== this.value.generation) this.unsent.splice(0)
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

  /** Keeps an update until it is stored, also after an interruption. The service refuses more than 64 KiB. */
  readonly update = (data: string): void => {
    this.unsent.push(data)
    this.#next()
  }

  /**
   * Sends updates one at a time, because each depends on those before it. After a snapshot, an unanswered update is
   * sent again.
   */
  #next(): void {
    const [data] = this.unsent
    if (!data || this.#sending || this.value?.readOnly !== false) return
    const sending = {}
    this.#sending = sending
    this.#send?.({ type: 'update', data, seq: ++this.#seq }, (answer) => {
      if (this.#sending !== sending) return
      this.#sending = undefined
      if (answer.type === 'accepted') {
        this.unsent.shift()
        this.#stand(answer)
        this.#next()
      } else if (answer.type === 'error' && new RealtimeError(answer).isTransient) {
        // After any other refusal the service ends the topic or sends a snapshot.
        this.#platform.later(answer.retryAfterMs ?? 1_000, () => this.#next())
      }
    })
  }

  #stand({ revision }: { readonly revision: number }): void {
    if (this.value) this.value = { ...this.value, revision }
    this.tell([])
  }
}
