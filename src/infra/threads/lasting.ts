import { parentPort, Worker } from 'node:worker_threads'

/** A thread for one kind of short work: it is there for as long as it has something to do now and then. */

interface Asked<Input> {
  readonly id: number
  readonly input: Input
}

interface Answered<Output> {
  readonly id: number
  readonly output: Output
}

const idleMs = 60_000

/** What `answer` does in a thread, as the event loop asks for it. Input and output are cloned. */
export class LastingThread<Input, Output> {
  readonly #module: URL
  #worker: Worker | null = null
  readonly #asked = new Map<number, PromiseWithResolvers<Output>>()
  #lastId = 0
  #idle: NodeJS.Timeout | undefined

  /** @param module that calls `answer` */
  constructor(module: URL) {
    this.#module = module
  }

  /** @throws Error when the thread ends before it has answered; the next one asks a new thread */
  async ask(input: Input): Promise<Output> {
    clearTimeout(this.#idle)
    const id = ++this.#lastId
    const asked = Promise.withResolvers<Output>()
    this.#asked.set(id, asked)
    this.#worker ??= this.#start()
    this.#worker.postMessage({ id, input } satisfies Asked<Input>)
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
    const worker = new Worker(this.#module)
    worker.unref()
    worker.on('message', ({ id, output }: Answered<Output>) => this.#asked.get(id)?.resolve(output))
    const fail = (error: Error) => {
      if (this.#worker === worker) this.#worker = null
      for (const { reject } of this.#asked.values()) reject(error)
    }
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('a thread ended before it answered')))
    return worker
  }
}

/** Called by the module of a thread: answers whatever is asked. */
export function answer<Input, Output>(work: (input: Input) => Output): void {
  parentPort?.on('message', ({ id, input }: Asked<Input>) => {
    parentPort?.postMessage({ id, output: work(input) } satisfies Answered<Output>)
  })
}
