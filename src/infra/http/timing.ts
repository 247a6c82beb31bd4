import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * The header `Server-Timing`, which tells where the time of a request went. Never in production: the time of a read can
 * depend on records that its caller may not see. The names are always the same, and say nothing about records.
 */

/** The phases of a request's life that are told, in their order. */
const phases = ['admission', 'body', 'prepare', 'run', 'serialise'] as const
type Phase = (typeof phases)[number]

export function isTimed(environment: string): boolean {
  return environment !== 'production'
}

/** The measured times of one request, in milliseconds. */
export class Timing {
  readonly #startedAt = performance.now()
  /** When the running phases began. */
  readonly #begun = new Map<Phase, number>()
  readonly #taken = new Map<Phase, number>()
  #statements = 0
  #unanswered = 0
  #unansweredSince = 0
  #databaseMs = 0

  begin(phase: Phase): void {
    this.#begun.set(phase, performance.now())
  }

  end(phase: Phase): void {
    const begun = this.#begun.get(phase)
    if (begun === undefined) return
    this.#begun.delete(phase)
    this.#taken.set(phase, (this.#taken.get(phase) ?? 0) + performance.now() - begun)
  }

  /** Counts a statement. Statements that overlap take their common time once. */
  note(answered: Promise<unknown>): void {
    this.#statements++
    if (this.#unanswered++ === 0) this.#unansweredSince = performance.now()
    const settle = () => {
      if (--this.#unanswered === 0) this.#databaseMs += performance.now() - this.#unansweredSince
    }
    answered.then(settle, settle)
  }

  /** The value of the header, when the answer is about to be sent. */
  headerValue(): string {
    // An answer that is sent before admission ends comes from the cache.
    const isRemembered = this.#begun.has('admission')
    for (const phase of [...this.#begun.keys()]) this.end(phase)
    const told = phases.flatMap((phase) => {
      const ms = this.#taken.get(phase) ?? 0
      return ms < shortest ? [] : [metric(phase, ms)]
    })
    if (this.#statements > 0) told.push(`${metric('sql', this.#databaseMs)};desc="${this.#statements}"`)
    if (isRemembered) told.push(remembered)
    return [...told, metric('total', performance.now() - this.#startedAt)].join(', ')
  }
}

/** A phase that was shorter, in milliseconds, is not told. */
const shortest = 0.005

const remembered = 'remembered'

function metric(name: string, ms: number): string {
  return `${name};dur=${ms.toFixed(2)}`
}

/** The header of an answer that the fast path sends from the cache. */
export function rememberedTiming(startedAt: number): string {
  return `${remembered}, ${metric('total', performance.now() - startedAt)}`
}

const current = new AsyncLocalStorage<Timing>()

/** Does a part of the current request's work, and measures it where requests are timed. */
export function timed<T>(phase: Phase, work: () => T): T {
  const timing = current.getStore()
  if (timing === undefined) return work()
  timing.begin(phase)
  let result: T
  try {
    result = work()
  } catch (error) {
    timing.end(phase)
    throw error
  }
  if (result instanceof Promise) return result.finally(() => timing.end(phase)) as T
  timing.end(phase)
  return result
}

/** Counts a statement for the request that sends it. */
export function noteStatement(answered: unknown): void {
  if (answered instanceof Promise) current.getStore()?.note(answered)
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
interface Hooks {
  readonly onRequest: Hook
  readonly handler: Hook
}

/** The hooks of a route, with the times of admission and of the body's arrival. */
export function timedHooks({ onRequest, handler }: Hooks): Hooks {
  return {
    async onRequest(request, reply) {
      const { timing } = request.state
      if (timing === null) return onRequest(request, reply)
      const result = await current.run(timing, () => timed('admission', () => onRequest(request, reply)))
      timing.begin('body')
      return result
    },
    async handler(request, reply) {
      const { timing } = request.state
      if (timing === null) return handler(request, reply)
      timing.end('body')
      return current.run(timing, () => handler(request, reply))
    },
  }
}
