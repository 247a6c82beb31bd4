import { forbidden, Problem } from '../../../core/problem.ts'
import { nobody, scopeMissing } from '../../http/admission.ts'
import type { Viewer } from '../durable/subscription.ts'
import { unknownTopic } from '../durable/topics.ts'
import type { Ephemeral } from './hub.ts'
import type { Judged, Party } from './rights.ts'
import type { Address, NamedKey } from './topic.ts'

/** The values that one connection writes to ephemeral topics. (RT21, RT22) */

export interface Publication {
  readonly topic: string
  readonly key: string
  readonly value: unknown
  readonly seq: number
}

/** Maximum number of topics that a connection writes to at the same time. */
const maxTopics = 50
/** Minimum milliseconds between two reports of dropped values. */
const complaintMs = 1_000

/** A topic that the connection writes to, and the keys that it has written. */
class Permit implements Party {
  readonly address: Address
  readonly viewer: Viewer
  readonly isWriter = true
  readonly keys = new Map<string, NamedKey>()
  readonly #withdraw: (permit: Permit) => void
  judged: Judged | null = null
  usedAt = 0

  constructor(address: Address, viewer: Viewer, withdraw: (permit: Permit) => void) {
    this.address = address
    this.viewer = viewer
    this.#withdraw = withdraw
  }

  /** Takes over the keys that were written with the previous token. */
  succeed(before: Permit, judged: Judged): void {
    for (const [name, key] of before.keys) this.keys.set(name, key)
    before.keys.clear()
    this.stay(judged)
  }

  stay(judged: Judged): void {
    this.judged = judged
    const isBarred = [...this.keys.values()].some((key) => sourceOf(key, judged) === null)
    if (isBarred) this.end()
  }

  end(): void {
    this.#withdraw(this)
  }
}

export class EphemeralWriter {
  readonly #ephemeral: Ephemeral
  readonly #connection: string
  readonly #permits = new Map<string, Permit>()
  #complainedAt = 0
  #isClosed = false

  constructor(ephemeral: Ephemeral, connection: string) {
    this.#ephemeral = ephemeral
    this.#connection = connection
  }

  /** @throws Problem */
  async publish({ topic, key: text, value, seq }: Publication, viewer: Viewer): Promise<void> {
    const { actor } = viewer.credential
    if (actor.guid === null) throw nobody.fault?.()
    if (!actor.scopes.has('ws:write')) throw scopeMissing('ws:write')
    const address = this.#ephemeral.topics.find(topic)
    if (address === null) throw unknownTopic()
    const permit = await this.#permitFor(address, viewer)
    const judged = permit.judged as Judged
    const key = address.keyOf(text, this.#connection)
    const source = sourceOf(key, judged)
    if (source === null) throw forbidden('role.missing', 'This key of the topic is for others to write.')
    const live = this.#ephemeral.liveOf(address, judged.name)
    if (!live.takes(key.key, Date.now())) return this.complain()
    this.#ephemeral.write(live, key, address, {
      value,
      seq,
      source,
      writer: writerOf(viewer),
      user: actor.guid,
      connection: this.#connection,
    })
    permit.usedAt = Date.now()
    permit.keys.set(key.key, key)
  }

  /**
   * Reports dropped values, at most once a second.
   * @throws Problem `publish.limited`
   */
  complain(): void {
    const now = Date.now()
    if (now - this.#complainedAt < complaintMs) return
    this.#complainedAt = now
    throw new Problem('limited', 'publish.limited', 'Values come too fast; those beyond the limit are dropped.', {
      headers: { 'retry-after': '1' },
    })
  }

  /** Deletes all values written over the connection; they also end with the rights to write them. */
  close(): void {
    this.#isClosed = true
    for (const permit of this.#permits.values()) this.#withdraw(permit)
  }

  async #permitFor(address: Address, viewer: Viewer): Promise<Permit> {
    const { name } = address.topic
    const known = this.#permits.get(name)
    if (known?.viewer === viewer) return known
    if (known === undefined) this.#makeRoom()
    const permit = new Permit(address, viewer, (ended) => this.#withdraw(ended))
    try {
      const judged = await this.#ephemeral.rights.admit(permit)
      if (this.#isClosed) throw unknownTopic()
      this.#permits.set(name, permit)
      if (known !== undefined) permit.succeed(known, judged)
      return permit
    } catch (error) {
      this.#ephemeral.rights.dismiss(permit)
      throw error
    } finally {
      if (known !== undefined) this.#withdraw(known)
    }
  }

  #makeRoom(): void {
    for (const permit of this.#permits.values()) {
      if (permit.usedAt + permit.address.kind.expiresMs < Date.now()) this.#withdraw(permit)
    }
    if (this.#permits.size < maxTopics) return
    throw new Problem('limited', 'publish.limited', `A connection writes to at most ${maxTopics} topics at once.`)
  }

  #withdraw(permit: Permit): void {
    const { name } = permit.address.topic
    this.#ephemeral.rights.dismiss(permit)
    if (this.#permits.get(name) === permit) this.#permits.delete(name)
    const { judged } = permit
    if (judged === null) return
    for (const key of permit.keys.keys()) {
      this.#ephemeral.withdraw(judged.name, key, writerOf(permit.viewer), this.#connection)
    }
  }
}

function sourceOf({ rule, guid }: NamedKey, { actor, records }: Judged): string | null {
  return rule.spec.writes(actor, records as never, guid)
}

/** Each application of a user is a separate writer. */
function writerOf({ credential: { actor } }: Viewer): string {
  return `${actor.guid}:${actor.token?.clientId ?? ''}`
}
