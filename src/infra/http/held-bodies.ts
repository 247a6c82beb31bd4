import type { IncomingMessage } from 'node:http'
import { busy, invalid, Problem } from '../../core/problem.ts'
import { gaveWay, Paces } from './fair-shares.ts'

/** A body in memory. */
export interface HeldBody {
  /** In a buffer of its own, which a thread may take over. */
  readonly bytes: Buffer<ArrayBuffer>
  /** Frees the memory immediately: the bytes must not be used afterwards. */
  readonly release: () => void
}

/** The bodies of one account, or of one network for anonymous callers. */
interface Holder {
  held: number
  /** The bodies that are arriving, oldest first. */
  readonly arriving: Set<Arriving>
}

interface Arriving {
  readonly holder: Holder
  readonly isSlow: () => boolean
  readonly fail: (problem: Problem) => void
}

const firstBytes = 4 * 1024

/**
 * Collects bodies in memory, and limits the total of arriving bodies and of bodies whose requests are running. Without
 * room, a slow body gives way; if none is slow, the oldest arriving body of the holder with the most bytes does.
 * Clients that want an answer send faster than clients that want to occupy memory.
 */
export class Bodies {
  readonly #most: number
  /** Maximum bytes of one holder, so that others always have room. (D81) */
  readonly #maxOfHolder: number
  readonly #paces: Paces
  #held = 0
  readonly #holders = new Map<string | symbol, Holder>()
  /** Oldest first. */
  readonly #arriving = new Set<Arriving>()

  /**
   * @param most maximum bytes of all bodies
   * @param slowAfterMs how long a body may arrive slowly
   */
  constructor(most: number, slowAfterMs?: number) {
    this.#most = most
    this.#maxOfHolder = (2 * most) / 3
    this.#paces = new Paces(slowAfterMs)
  }

  /** Bytes of all bodies in memory. */
  get held(): number {
    return this.#held
  }

  /**
   * @param limit maximum bytes of this body
   * @param name the holder; null for a sender that others at the same address must not be counted with
   * @param signal aborted with a problem when this body has to give way
   * @throws Problem `request.too_large`; `service.busy` when it gave way; `request.malformed` when it broke off
   */
  collect(
    request: IncomingMessage,
    limit: number,
    name: string | null,
    signal: AbortSignal | null = null,
  ): Promise<HeldBody> {
    const declared = Number(request.headers['content-length'] ?? limit)
    if (declared > limit) return Promise.reject(tooLarge(limit))
    const { promise, resolve, reject } = Promise.withResolvers<HeldBody>()
    // In one buffer: a body in chunks of one byte would take a hundred times its size in bookkeeping.
    let store = new ArrayBuffer(0)
    // Counted separately, because the buffer is empty once a thread has taken it over.
    let capacity = 0
    let length = 0
    const key = name ?? Symbol('of its own')
    const holder = this.#holderOf(key)
    const pace = this.#paces.watch(request)
    const release = () => {
      this.#held -= capacity
      holder.held -= capacity
      capacity = 0
      store = store.detached ? new ArrayBuffer(0) : store.transfer(0)
      if (holder.held === 0 && holder.arriving.size === 0) this.#holders.delete(key)
    }
    const stop = () => {
      pace.end()
      this.#arriving.delete(arriving)
      holder.arriving.delete(arriving)
      request.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff)
      signal?.removeEventListener('abort', abort)
    }
    const fail = (problem: Problem) => {
      stop()
      release()
      reject(problem)
    }
    const arriving: Arriving = { holder, isSlow: pace.isSlow, fail }
    const take = (chunk: Buffer) => {
      const needed = length + chunk.length
      if (needed > limit) return fail(tooLarge(limit))
      if (needed > capacity) {
        const wanted = Math.min(declared, Math.max(needed, 2 * capacity, firstBytes))
        if (!this.#makeRoom(wanted - capacity, arriving)) return
        capacity = wanted
        store = store.transfer(capacity)
      }
      new Uint8Array(store).set(chunk, length)
      length = needed
    }
    const end = () => {
      stop()
      resolve({ bytes: Buffer.from(store, 0, length), release })
    }
    const breakOff = () => fail(invalid('request.malformed', 'The body broke off.'))
    const abort = () => fail(signal?.reason)

    this.#arriving.add(arriving)
    holder.arriving.add(arriving)
    request.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff)
    signal?.addEventListener('abort', abort)
    return promise
  }

  #holderOf(key: string | symbol): Holder {
    const known = this.#holders.get(key)
    if (known !== undefined) return known
    const holder = { held: 0, arriving: new Set<Arriving>() }
    this.#holders.set(key, holder)
    return holder
  }

  /** Evicts other bodies until there is room; false when the asking body itself had to give way. */
  #makeRoom(more: number, asker: Arriving): boolean {
    const { holder } = asker
    while (holder.held + more > this.#maxOfHolder) if (this.#giveWay(holder.arriving, asker)) return false
    while (this.#held + more > this.#most) {
      const others = [...this.#arriving].some(({ isSlow }) => isSlow()) ? this.#arriving : this.#largest()
      if (this.#giveWay(others, asker)) return false
    }
    holder.held += more
    this.#held += more
    return true
  }

  /** The arriving bodies of the holder with the most bytes. */
  #largest(): ReadonlySet<Arriving> {
    let largest: Holder | null = null
    for (const { holder } of this.#arriving) if (holder.held > (largest?.held ?? -1)) largest = holder
    return largest?.arriving ?? new Set()
  }

  /** Evicts a slow body, or the oldest; returns whether that was the asking body. */
  #giveWay(some: ReadonlySet<Arriving>, asker: Arriving): boolean {
    const [oldest = asker] = some
    const slow = [...some].find(({ isSlow }) => isSlow())
    const one = slow ?? oldest
    one.fail(slow === undefined ? noRoom() : gaveWay())
    return one === asker
  }
}

function tooLarge(limit: number): Problem {
  return new Problem('too_large', 'request.too_large', `The body may have at most ${limit} bytes.`)
}

function noRoom(): Problem {
  return busy('Too much is being sent to the service; try again in a second.')
}
