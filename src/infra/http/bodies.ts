import type { IncomingMessage } from 'node:http'
import { invalid, Problem } from '../../core/problem.ts'

/** A body in memory. */
export interface HeldBody {
  readonly bytes: Buffer
  /** Gives the memory back at once: nobody may look at the bytes after that. */
  readonly release: () => void
}

type Fail = (problem: Problem) => void

const firstBytes = 4 * 1024

/**
 * Collects bodies, and bounds what they hold together: those that are arriving and those whose requests are at work. Where
 * there is no room, the one that has been arriving for longest gives way: who wants to be served sends faster than who
 * wants to hold memory.
 */
export class Bodies {
  readonly #most: number
  #held = 0
  /** What ends each of those that are arriving, the oldest first. */
  readonly #arriving = new Set<Fail>()

  /** @param most bytes that all of them may hold */
  constructor(most: number) {
    this.#most = most
  }

  /** Bytes that are held now. */
  get held(): number {
    return this.#held
  }

  /**
   * @param limit bytes that this one may have
   * @throws Problem `request.too_large`; `service.busy` when it gave way; `request.malformed` when it broke off
   */
  collect(request: IncomingMessage, limit: number): Promise<HeldBody> {
    const declared = Number(request.headers['content-length'] ?? limit)
    if (declared > limit) return Promise.reject(tooLarge(limit))
    const { promise, resolve, reject } = Promise.withResolvers<HeldBody>()
    // In one piece: a body in chunks of one byte each would hold a hundred times its size in their records.
    let store = new ArrayBuffer(0)
    let length = 0
    const release = () => {
      this.#held -= store.byteLength
      store = store.transfer(0)
    }
    const stop = () => {
      this.#arriving.delete(fail)
      request.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff)
    }
    const fail = (problem: Problem) => {
      stop()
      release()
      reject(problem)
    }
    const take = (chunk: Buffer) => {
      const needed = length + chunk.length
      if (needed > limit) return fail(tooLarge(limit))
      if (needed > store.byteLength) {
        const capacity = Math.min(declared, Math.max(needed, 2 * store.byteLength, firstBytes))
        if (!this.#makeRoom(capacity - store.byteLength, fail)) return
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
    this.#arriving.add(fail)
    request.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff)
    return promise
  }

  /** Takes the room from others where it must; false when it is the asker that gave way. */
  #makeRoom(more: number, asker: Fail): boolean {
    while (this.#held + more > this.#most) {
      const [oldest = asker] = this.#arriving
      oldest(busy())
      if (oldest === asker) return false
    }
    this.#held += more
    return true
  }
}

function tooLarge(limit: number): Problem {
  return new Problem('too_large', 'request.too_large', `The body may have at most ${limit} bytes.`)
}

function busy(): Problem {
  return new Problem('unavailable', 'service.busy', 'Too much is being sent to the service; try again in a second.', {
    headers: { 'retry-after': '1' },
  })
}
