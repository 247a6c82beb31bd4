import { networkOf } from '../../../core/network.ts'
import type { Bearer, KnownToken, KnownViewToken, VerifyAgain } from '../../http/admission.ts'
import type { TouchingEvent } from '../durable/facts.ts'
import type { CloseCode } from './closing.ts'

/** Whoever holds a connection: a socket, or a stream of HTTP. */
export interface Peer {
  readonly guid: string
  readonly door: 'socket' | 'sse' | 'ndjson'
  /** null for whoever came without a token. */
  readonly bearer: Bearer | null
  readonly address: string
  readonly connectedAt: Date
  /** How many topics it follows. */
  readonly following: number
  /** Bytes that it has not taken yet. */
  readonly waiting: number
  /** What its token is worth from here on, to the same user by the same scopes. */
  renew(bearer: Bearer): void
  /** It has sent nothing to its peer from here on but that it ends. */
  close(code: CloseCode): void
}

/** Connections of this process, and what ends them: what becomes of the tokens that they were opened with. */
export class Peers {
  readonly #verifyAgain: VerifyAgain
  readonly #all = new Set<Peer>()
  readonly #byTag = new Map<string, Set<Peer>>()
  readonly #strangers = new Map<string, number>()

  constructor(verifyAgain: VerifyAgain) {
    this.#verifyAgain = verifyAgain
  }

  get size(): number {
    return this.#all.size
  }

  /** Whether anybody is connected who has shown a token. */
  get areKnown(): boolean {
    return this.#byTag.size > 0
  }

  [Symbol.iterator](): Iterator<Peer> {
    return this.#all.values()
  }

  /** Connections of a user, of an application, or of a view token, by GUID. */
  of(tag: string): ReadonlySet<Peer> {
    return this.#byTag.get(tag) ?? none
  }

  /** How many connections of a kind the network of an address has without a token: looked up for each that comes. */
  strangersFrom(peer: Pick<Peer, 'door' | 'address'>): number {
    return this.#strangers.get(strangerKey(peer)) ?? 0
  }

  add(peer: Peer): void {
    this.#all.add(peer)
    this.#index(peer)
  }

  remove(peer: Peer): void {
    if (!this.#all.delete(peer)) return
    this.#unindex(peer)
  }

  /** To be called around a change of the peer's bearer. */
  change(peer: Peer, change: () => void): void {
    const isHere = this.#all.has(peer)
    if (isHere) this.#unindex(peer)
    change()
    if (isHere) this.#index(peer)
  }

  /** Closes those whose tokens the events have ended, and has all others go on as what their users are now. (RT12) */
  async heed(events: readonly TouchingEvent[], now: Date): Promise<void> {
    const concerned = new Set<Peer>()
    const closed = new Set<string | null>()
    const banned = new Set<Peer>()
    for (const { type, subject, touches } of events) {
      if (type === 'connection.closed') closed.add(subject)
      for (const peer of touches.flatMap((tag) => [...this.of(tag)])) {
        concerned.add(peer)
        if (type === 'user.banned') banned.add(peer)
      }
    }
    await Promise.all(
      [...concerned].map(async (peer) => {
        if (closed.has(peer.guid)) return peer.close(4101)
        if (peer.bearer === null) return
        const bearer = await this.#verifyAgain(knownToken(peer.bearer), now)
        if (bearer === null) peer.close(banned.has(peer) ? 4206 : revokedCode(peer.bearer))
        else peer.renew(bearer)
      }),
    )
  }

  #index(peer: Peer): void {
    if (peer.bearer === null) this.#strangers.set(strangerKey(peer), this.strangersFrom(peer) + 1)
    for (const tag of tagsOf(peer)) {
      const peers = this.#byTag.get(tag)
      if (peers === undefined) this.#byTag.set(tag, new Set([peer]))
      else peers.add(peer)
    }
  }

  #unindex(peer: Peer): void {
    if (peer.bearer === null) {
      const left = this.strangersFrom(peer) - 1
      if (left > 0) this.#strangers.set(strangerKey(peer), left)
      else this.#strangers.delete(strangerKey(peer))
    }
    for (const tag of tagsOf(peer)) {
      const peers = this.#byTag.get(tag)
      peers?.delete(peer)
      if (peers?.size === 0) this.#byTag.delete(tag)
    }
  }
}

/** Sockets and streams are counted apart: their bounds are different. */
export function kindOf({ door }: Pick<Peer, 'door'>): 'socket' | 'stream' {
  return door === 'socket' ? 'socket' : 'stream'
}

/** Whose connections are counted together: the user's, or those by the same view token. */
export function holderOf({ actor }: Bearer): string {
  return actor.guid ?? actor.view?.tokenGuid ?? ''
}

/** How a connection ends whose token was revoked, and how one whose token has expired. (RT31) */
export function revokedCode({ actor }: Bearer): CloseCode {
  return actor.view === null ? 4101 : 4103
}

export function expiredCode({ actor }: Bearer): CloseCode {
  return actor.view === null ? 4100 : 4103
}

/** To be verified again. */
export function knownToken({ actor }: Pick<Bearer, 'actor'>): KnownToken | KnownViewToken {
  if (actor.view !== null) return { viewToken: actor.view.tokenGuid }
  return { jti: actor.token?.jti ?? '', userGuid: actor.guid ?? '', scopes: [...actor.scopes] }
}

const none: ReadonlySet<Peer> = new Set()

function strangerKey(peer: Pick<Peer, 'door' | 'address'>): string {
  return `${kindOf(peer)} ${networkOf(peer.address)}`
}

function tagsOf({ guid, bearer }: Peer): readonly string[] {
  return bearer === null ? [] : [guid, ...bearer.tags]
}
