import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import pLimit, { type LimitFunction } from 'p-limit'
import { busy, type Problem } from '../../core/problem.ts'
import type { Work } from './entry.ts'
import { workInProcess } from './one-off-process.ts'

/** The work of a thread: an exported function of a module, whose input and output can be cloned. */
export interface Task {
  readonly module: URL
  readonly name: string
  /** The task has a line of its own: this many pieces run at a time, and none waits. */
  readonly atOnce?: number
  /** Milliseconds after which the work is given up, if they are not the usual ones. */
  readonly patienceMs?: number
  /**
   * The work runs in a process instead of a thread: its memory goes back to the system at once, while that of a thread
   * stays with the service for seconds, and a part of it for ever. A process takes a second longer to start.
   */
  readonly inProcess?: true
  /** No request waits for the work: its process runs only while no other needs the processor. */
  readonly isLow?: boolean
}

const entry = new URL('./entry.ts', import.meta.url)
/** The maximum of waiting and running work. */
const maxWaiting = 8
const maxMemoryMb = 512

interface Line {
  readonly limit: LimitFunction
  /** The maximum of waiting and running work. */
  readonly taken: number
}

/**
 * Runs work that needs a processor for long in threads, so that the event loop stays free. One piece runs at a time,
 * and only a few may wait, except for tasks with a line of their own.
 */
export class Threads {
  readonly #patienceMs: number
  readonly #closing = new AbortController()
  readonly #shared: Line = { limit: pLimit(1), taken: maxWaiting }
  readonly #own = new Map<string, Line>()

  /** @param patienceMs after which a piece of work is given up, including its time in line */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  /**
   * @throws Problem `service.busy` when too much is in line, the work takes too long, or the service closes
   * @throws the error of the function
   */
  async run<Input, Output>(task: Task, input: Input): Promise<Output> {
    const { limit, taken } = this.#lineOf(task)
    if (limit.activeCount + limit.pendingCount >= taken) {
      throw busy('Too many such requests are in line; try again in a minute.')
    }
    const tooLate = AbortSignal.timeout(task.patienceMs ?? this.#patienceMs)
    return (await limit(() => this.#work(task, input, tooLate))) as Output
  }

  /** Ends the running work and refuses the waiting work. */
  async close(): Promise<void> {
    this.#closing.abort()
    const lines = [this.#shared, ...this.#own.values()]
    await Promise.all(lines.flatMap(({ limit }) => Array.from({ length: limit.concurrency }, () => limit(() => {}))))
  }

  #lineOf({ module, name, atOnce }: Task): Line {
    if (atOnce === undefined) return this.#shared
    const key = `${module.href} ${name}`
    const line = this.#own.get(key) ?? { limit: pLimit(atOnce), taken: atOnce }
    this.#own.set(key, line)
    return line
  }

  async #work(
    { module, name, inProcess, isLow = false }: Task,
    input: unknown,
    tooLate: AbortSignal,
  ): Promise<unknown> {
    const closing = this.#closing.signal
    const given = AbortSignal.any([closing, tooLate])
    const stopped = () =>
      busy(
        closing.aborted
          ? 'The service is about to restart; try again in a minute.'
          : 'This takes too long to work out; try again in a minute, or ask for less at once.',
      )
    if (given.aborted) throw stopped()
    const work: Work = { cache: getCompileCacheDir(), module: module.href, name, input }
    if (inProcess) {
      return await workInProcess(work, given, { maxMemoryMb, isLow }).catch((error: unknown) => {
        throw given.aborted ? stopped() : error
      })
    }
    const worker = new Worker(entry, { workerData: work, resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb } })
    try {
      return await resultOf(worker, given, stopped)
    } finally {
      await worker.terminate()
    }
  }
}

function resultOf(worker: Worker, given: AbortSignal, stopped: () => Problem): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('messageerror', reject)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('a thread ended without a result')))
    given.addEventListener('abort', () => reject(stopped()), { once: true })
  })
}
