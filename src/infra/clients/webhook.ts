import type { Agent } from 'undici'
import { agentOf } from './agent.ts'
import { retryAfterMs } from './answers.ts'
import { explained, joinedHeaders, Unreachable } from './http.ts'
import { connectorWithin, OutOfReach, type Reach } from './internet.ts'

/**
 * Outgoing webhooks, to wherever users say: one deadline over everything, few connections, no redirects, and of the
 * answer only its status and how long to wait.
 */

export interface WebhookRequest {
  readonly url: string
  /** JSON, sent byte for byte. */
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface WebhookAnswer {
  /** null when no whole answer came. */
  readonly status: number | null
  /** Why none came, naming the host and no more of the address; null when one did. */
  readonly error: string | null
  /** Waiting for a free connection included. */
  readonly durationMs: number
  /** How long the receiver asks us to wait, in milliseconds; null when it does not say. */
  readonly retryAfterMs: number | null
}

export interface WebhookClient {
  post(request: WebhookRequest): Promise<WebhookAnswer>
  /** Lets requests under way finish, which the deadline bounds. */
  close(): Promise<void>
}

export interface WebhookClientOptions extends Reach {
  readonly userAgent: string
  /** Whether addresses may be http. */
  readonly allowHttp: boolean
  /** From the call until the answer has been read. */
  readonly timeoutMs: number
  /** What is read of an answer; the rest is left. */
  readonly maxBodyBytes: number
  /** In use at the same time, to one origin and in all. As many again may be kept open for a moment in case of more. */
  readonly connections: { readonly perOrigin: number; readonly total: number }
}

/** A longer wait is taken for a mistake of the receiver. */
const longestWaitMs = 24 * 3_600_000

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
    // The deadline of a request covers both.
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
      // What was read is enough.
      if (!isTooLarge(error)) throw error
    })
    const told = retryAfterMs({ headers: joinedHeaders(answer.headers) }, { longestMs: longestWaitMs })
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

/** What an error of a connection that is held to a reach means. Throws one that is a mistake of the caller. */
export function whyUnreachable(error: unknown, host: string): Unreachable {
  if (error instanceof OutOfReach) return new Unreachable('out_of_reach', host)
  const explanation = explained(error, host)
  if (explanation instanceof Unreachable) return explanation
  throw explanation
}

/** So many may be inside; the others wait in line. */
class Places {
  #free: number
  readonly #line = new Set<() => void>()

  constructor(count: number) {
    this.#free = count
  }

  /** Rejects without having begun when `signal` is aborted first. */
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
