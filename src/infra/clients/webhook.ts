import type { Agent } from 'undici'
import { agentOf } from './agent.ts'
import { retryAfterMs } from './answers.ts'
import { explained, joinedHeaders, Unreachable } from './http.ts'
import { connectorWithin, OutOfReach, type Reach } from './internet.ts'

/**
 * Outgoing webhooks to addresses of users: one deadline over everything, few connections, no redirects. Of the answer
 * only the status and the wait are used.
 */

export interface WebhookRequest {
  readonly url: string
  /** JSON, or what the header `content-type` names; sent byte for byte. */
  readonly body: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

export interface WebhookAnswer {
  /** Null without a whole answer. */
  readonly status: number | null
  /** Why no answer came, with the host but without the rest of the address; null when one came. */
  readonly error: string | null
  /** Includes the wait for a free connection. */
  readonly durationMs: number
  /** How long the receiver asks us to wait, in milliseconds; null when it does not say. */
  readonly retryAfterMs: number | null
}

export interface WebhookClient {
  post(request: WebhookRequest): Promise<WebhookAnswer>
  /** Waits for running requests, which end by their deadline. */
  close(): Promise<void>
}

export interface WebhookClientOptions extends Reach {
  readonly userAgent: string
  /** Whether http addresses are allowed. */
  readonly allowHttp: boolean
  /** The time from the call until the answer has been read. */
  readonly timeoutMs: number
  /** The maximum number of bytes that are read of an answer; the rest is ignored. */
  readonly maxBodyBytes: number
  /** The maximum of used connections, to one origin and in all. As many again may be open but idle for a moment. */
  readonly connections: { readonly perOrigin: number; readonly total: number }
}

/** A longer wait is taken for a mistake of the receiver. */
const maxWaitMs = 24 * 3_600_000

export function createWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { timeoutMs, maxBodyBytes, connections } = options
  let open = 0
  const connect = connectorWithin(options, timeoutMs)
  const outgoing = agentOf({
    connections: connections.perOrigin,
    connect: (target, callback) =>
      connect(target, (...outcome) => {
        if (outcome[0] === null) {
          open++
          outcome[1].once('close', () => open--)
        }
        callback(...outcome)
      }),
    maxResponseSize: maxBodyBytes,
    // The deadline of the whole request replaces these two timeouts.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const places = new Places(connections.total)

  async function send(agent: Agent, url: URL, { body, headers }: WebhookRequest, signal: AbortSignal) {
    if (url.protocol !== 'https:' && !(options.allowHttp && url.protocol === 'http:')) throw new OutOfReach()
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': options.userAgent, ...headers },
      body,
      signal,
      reset: open >= connections.total,
    })
    await answer.body.text().catch((error: unknown) => {
      // The status and headers are enough, so a body that is too large is no error.
      if (!isTooLarge(error)) throw error
    })
    const told = retryAfterMs({ headers: joinedHeaders(answer.headers) }, { maxMs: maxWaitMs })
    return { status: answer.statusCode, error: null, retryAfterMs: told }
  }

  return {
    async post(request) {
      const agent = await outgoing.get()
      const startedAt = performance.now()
      const deadline = AbortSignal.timeout(timeoutMs)
      const url = new URL(request.url)
      const answer = await places
        .within(deadline, () => send(agent, url, request, deadline))
        .catch((error: unknown) => {
          const failure = deadline.aborted ? new Unreachable('timeout', url.host) : whyUnreachable(error, url.host)
          return { status: null, error: failure.message, retryAfterMs: null }
        })
      return { ...answer, durationMs: Math.round(performance.now() - startedAt) }
    },
    close: () => outgoing.close(),
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE'
}

/** Converts an error of a connection with a limited reach. Throws programming errors of the caller. */
export function whyUnreachable(error: unknown, host: string): Unreachable {
  if (error instanceof OutOfReach) return new Unreachable('out_of_reach', host)
  const explanation = explained(error, host)
  if (explanation instanceof Unreachable) return explanation
  throw explanation
}

/** A limit of simultaneous work; further work waits in line. */
class Places {
  #free: number
  readonly #line = new Set<() => void>()

  constructor(count: number) {
    this.#free = count
  }

  /** Rejects without starting the work when `signal` is aborted first. */
  async within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(signal)
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    if (this.#free > 0) {
      this.#free--
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () => {
      this.#line.delete(resolve)
      reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp, { once: true })
    this.#line.add(resolve)
    await promise
    signal.removeEventListener('abort', giveUp)
  }

  #leave(): void {
    const [next] = this.#line
    if (next === undefined) {
      this.#free++
      return
    }
    this.#line.delete(next)
    next()
  }
}
