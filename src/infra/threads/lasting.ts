import { parentPort, Worker } from 'node:worker_threads'

/** A thread for one kind of short work; it ends after some time without work. */

interface Asked<Input> {
  readonly id: number
  readonly input: Input
}

interface Answered<Output> {
  readonly id: number
  readonly output: Output
}

const idleMs = 60_000

/** A thread and its unanswered requests. Each thread has its own, because one may end while the next is at work. */
interface Running<Output> {
  readonly worker: Worker
  readonly asked: Map<number, PromiseWithResolvers<Output>>
}

/** Runs the function that `answer` was given, in a thread. Input and output are cloned. */
export class LastingThread<Input, Output> {
  readonly #module: URL
  #running: Running<Output> | null = null
  #lastId = 0
  #idle: NodeJS.Timeout | undefined

  /** @param module the module that calls `answer` */
  constructor(module: URL) {
    this.#module = module
  }

  /**
   * @param given buffers of the input that the thread may keep: they are not copied, and are empty here afterwards
   * @throws Error when the thread ends before it has answered; the next call starts a new thread
   */
  async ask(input: Input, given: readonly ArrayBuffer[] = []): Promise<Output> {
    clearTimeout(this.#idle)
    const id = ++this.#lastId
    const asked = Promise.withResolvers<Output>()
    this.#running ??= this.#start()
    const running = this.#running
    running.asked.set(id, asked)
    running.worker.postMessage({ id, input } satisfies Asked<Input>, given)
    try {
      return await asked.promise
    } finally {
      running.asked.delete(id)
      if (this.#running?.asked.size === 0) this.#idle = setTimeout(() => void this.close(), idleMs).unref()
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const running = this.#running
    this.#running = null
    await running?.worker.terminate()
  }

  #start(): Running<Output> {
    const asked: Running<Output>['asked'] = new Map()
    const worker = new Worker(this.#module)
    worker.unref()
    worker.on('message', ({ id, output }: Answered<Output>) => asked.get(id)?.resolve(output))
    const fail = (error: Error) => {
      if (this.#running?.worker === worker) this.#running = null
      for (const { reject } of asked.values()) reject(error)
    }
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('a thread ended before it answered')))
    return { worker, asked }
  }
}

/** Called by the module of a thread: answers every request with `work`. */
export function answer<Input, Output>(work: (input: Input) => Output): void {
  parentPort?.on('message', ({ id, input }: Asked<Input>) => {
    parentPort?.postMessage({ id, output: work(input) } satisfies Answered<Output>)
  })
}
