import { Worker } from 'node:worker_threads'
import { type Change, changeOf } from './change.ts'

/**
 * Compares bodies. Those that would keep the event loop for long are compared by a thread, which is there for as long as it
 * has something to do now and then. (RT9)
 */

/** Characters of both together. */
const largestHere = 128 * 1024
const idleMs = 60_000

interface Answer {
  readonly id: number
  readonly change: Change
}

export class Comparing {
  #worker: Worker | null = null
  readonly #asked = new Map<number, PromiseWithResolvers<Change>>()
  #lastId = 0
  #idle: NodeJS.Timeout | undefined

  async changeOf(before: string, after: string): Promise<Change> {
    if (before.length + after.length <= largestHere) return changeOf(before, after)
    clearTimeout(this.#idle)
    const id = ++this.#lastId
    const asked = Promise.withResolvers<Change>()
    this.#asked.set(id, asked)
    this.#worker ??= this.#start()
    this.#worker.postMessage({ id, before, after })
    try {
      return await asked.promise
    } finally {
      this.#asked.delete(id)
      if (this.#asked.size === 0) this.#idle = setTimeout(() => void this.close(), idleMs).unref()
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./comparing-thread.ts', import.meta.url))
    worker.unref()
    worker.on('message', ({ id, change }: Answer) => this.#asked.get(id)?.resolve(change))
    // Whoever waits asks again at the next step, of another thread.
    const fail = (error: Error) => {
      if (this.#worker === worker) this.#worker = null
      for (const { reject } of this.#asked.values()) reject(error)
    }
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('the thread that compares has ended')))
    return worker
  }
}
