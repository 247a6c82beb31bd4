import { networkOf } from '../../../core/network.ts'
import type { Bearer, KnownToken, KnownViewToken, VerifyAgain } from '../../http/admission.ts'
import type { TouchingEvent } from '../durable/facts.ts'
import type { CloseCode } from './closing.ts'

/** A connection: a socket, or an HTTP stream. */
export interface Peer {
  readonly guid: string
  readonly door: 'socket' | 'sse' | 'ndjson'
  /** null for a connection without a token. */
  readonly bearer: Bearer | null
  readonly address: string
  readonly connectedAt: Date
  /** Number of topics followed. */
  readonly following: number
  /** Bytes that are still to be sent. */
  readonly waiting: number
  /** Replaces the bearer by a newly verified one of the same user and scopes. */
  renew(bearer: Bearer): void
  /** Closes the connection; from now on it sends only the reason. */
  close(code: CloseCode): void
}

/** The connections of this process; closes them when their tokens end. */
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

  /** Whether there are connections with a token. */
  get areKnown(): boolean {
    return this.#byTag.size > 0
  }

  [Symbol.iterator](): Iterator<Peer> {
    return this.#all.values()
  }

  /** Connections of a user, an application, or a view token, by GUID. */
  of(tag: string): ReadonlySet<Peer> {
    return this.#byTag.get(tag) ?? none
  }

  /** Number of anonymous connections of a kind from the network of an address; checked for each new one. */
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

  /** Must wrap every change of the peer's bearer. */
  change(peer: Peer, change: () => void): void {
    const isHere = this.#all.has(peer)
    if (isHere) this.#unindex(peer)
    change()
    if (isHere) this.#index(peer)
  }

  /** Closes connections whose tokens the events have ended, and updates the bearers of the others. (RT12) */
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

/** Sockets and streams are counted separately: their limits differ. */
export function kindOf({ door }: Pick<Peer, 'door'>): 'socket' | 'stream' {
  return door === 'socket' ? 'socket' : 'stream'
}

/** The key under which connections are counted: the user, or the view token. */
export function holderOf({ actor }: Bearer): string {
  return actor.guid ?? actor.view?.tokenGuid ?? ''
}

/** The close code for a revoked token. (RT31) */
export function revokedCode({ actor }: Bearer): CloseCode {
  return actor.view === null ? 4101 : 4103
}

export function expiredCode({ actor }: Bearer): CloseCode {
  return actor.view === null ? 4100 : 4103
}

/** The token to verify again. */
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
