import type { IncomingMessage } from 'node:http'
import { networkOf } from '../../core/network.ts'
import { busy, type Problem } from '../../core/problem.ts'

/** Divides the room for bodies between their senders, so that none of them takes all of it. (D81) */

/** The sender of a body. */
export interface Sender {
  /** GUID; null for an anonymous sender. */
  readonly account: string | null
  readonly network: string
}

export function senderOf(account: string | null, address: string): Sender {
  return { account, network: networkOf(address) }
}

/** Maximum announced bytes of a JSON body that does not count as an upload. */
const maxSmallBytes = 64 * 1024

/**
 * Whether a command's JSON, which could be as large as a file, is small: then it takes no place among uploads. (D81)
 */
export function isSmallJson({ headers }: IncomingMessage, maxBytes = maxSmallBytes): boolean {
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')
  return isJson && Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= maxBytes
}

/** A body that brings fewer bytes a second than this is slow. (D81) */
const minPerSecond = 32_000
/** Each body is measured this many times within `slowAfterMs`. */
const measurements = 10

interface Watched {
  readonly payload: IncomingMessage
  read: number
  /** Bytes that may be missing before the body counts as slow. */
  credit: number
}

/**
 * Measures the speed of bodies: a body is slow if it has arrived at less than 32 KB/s for ten seconds. Delays by the
 * service itself do not count.
 */
export class Paces {
  readonly #most: number
  readonly #perMeasurement: number
  readonly #measureMs: number
  readonly #watched = new Set<Watched>()
  #measuring: NodeJS.Timeout | undefined

  /** @param slowAfterMs how long a body may arrive slowly */
  constructor(slowAfterMs = 10_000) {
    this.#most = (minPerSecond * slowAfterMs) / 1_000
    this.#perMeasurement = this.#most / measurements
    this.#measureMs = slowAfterMs / measurements
  }

  /** @returns whether the body is slow, and a function that ends the measuring */
  watch(payload: IncomingMessage): { readonly isSlow: () => boolean; readonly end: () => void } {
    const watched = { payload, read: payload.socket.bytesRead, credit: this.#most }
    this.#watched.add(watched)
    this.#measuring ??= setInterval(() => this.#measure(), this.#measureMs).unref()
    return {
      isSlow: () => watched.credit <= 0 && !payload.complete,
      end: () => {
        this.#watched.delete(watched)
        if (this.#watched.size > 0) return
        clearInterval(this.#measuring)
        this.#measuring = undefined
      },
    }
  }

  #measure(): void {
    for (const watched of this.#watched) {
      const { payload, read, credit } = watched
      const { bytesRead } = payload.socket
      const due = payload.isPaused() ? 0 : this.#perMeasurement
      watched.credit = Math.max(0, Math.min(this.#most, credit + bytesRead - read - due))
      watched.read = bytesRead
    }
  }
}

export interface PlaceLimits {
  /** Maximum number of simultaneous uploads: in total, of an account, and from a network. */
  readonly maxAtOnce: number
  readonly maxOfAccount: number
  readonly maxOfNetwork: number
  readonly slowAfterMs: number
}

export const defaultPlaces: PlaceLimits = {
  maxAtOnce: 100,
  maxOfAccount: 4,
  maxOfNetwork: 8,
  slowAfterMs: 10_000,
}

interface Taken {
  readonly sender: Sender
  readonly isSlow: () => boolean
  readonly giveWay: (problem: Problem) => void
}

/** A place in which an upload arrives. */
export interface Place {
  /** Aborted with a problem when the upload has to give way. */
  readonly signal: AbortSignal
  readonly leave: () => void
}

/** For a body that takes no place and never gives way. */
export function noPlace(): Place {
  return { signal: new AbortController().signal, leave() {} }
}

/**
 * The places in which uploads arrive. An account has at most 4 of them, and a network 8. If none is left for the
 * account, for the network or in total, a slow upload gives way to the new one; if none is slow, the new one is
 * refused. (D81)
 */
export class Places {
  readonly #limits: PlaceLimits
  readonly #paces: Paces
  /** Oldest first. */
  readonly #taken = new Set<Taken>()

  constructor(limits: Partial<PlaceLimits> = {}) {
    this.#limits = { ...defaultPlaces, ...limits }
    this.#paces = new Paces(this.#limits.slowAfterMs)
  }

  /** Number of places in use. */
  get size(): number {
    return this.#taken.size
  }

  /** @throws Problem `service.busy` */
  take(payload: IncomingMessage, sender: Sender): Place {
    for (const slow of this.#makeRoom(sender)) {
      this.#taken.delete(slow)
      slow.giveWay(gaveWay())
    }
    const pace = this.#paces.watch(payload)
    const control = new AbortController()
    const taken = { sender, isSlow: pace.isSlow, giveWay: (problem: Problem) => control.abort(problem) }
    this.#taken.add(taken)
    const leave = () => {
      pace.end()
      this.#taken.delete(taken)
    }
    return { signal: control.signal, leave }
  }

  /** The uploads that have to give way to the sender's next one. */
  #makeRoom({ account, network }: Sender): ReadonlySet<Taken> {
    const { maxAtOnce, maxOfAccount, maxOfNetwork } = this.#limits
    const leaving = new Set<Taken>()
    const bounds = [
      {
        most: maxOfAccount,
        isIn: ({ sender }: Taken) => account !== null && sender.account === account,
        words: `You are sending ${maxOfAccount} files already; wait until one of them is there.`,
      },
      {
        most: maxOfNetwork,
        isIn: ({ sender }: Taken) => sender.network === network,
        words: `From your network ${maxOfNetwork} files are being sent already; wait until one of them is there.`,
      },
      { most: maxAtOnce, isIn: () => true, words: 'Too much is being sent to the service; try again in a second.' },
    ]
    for (const { most, isIn, words } of bounds) {
      const taken = [...this.#taken].filter((one) => !leaving.has(one) && isIn(one))
      if (taken.length < most) continue
      const slow = taken.find(({ isSlow }) => isSlow())
      if (slow === undefined) throw busy(words)
      leaving.add(slow)
    }
    return leaving
  }
}

export function gaveWay(): Problem {
  return busy('The body came too slowly, and others need the room; send it again.')
}
