import type { Dispatcher } from 'undici'
import { agentOf } from './agent.ts'

/** Outgoing HTTP: one deadline over everything, a bounded body, no redirects, and one kind of error. */

/**
 * Why a service could not be used:
 * - `timeout`: no whole answer before the deadline
 * - `refused`: no connection, because no server listens, no route exists, or the certificate is not trusted
 * - `dns`: the host name has no address
 * - `out_of_reach`: connections to the address are not allowed
 * - `reset`: the connection broke before the answer was whole
 * - `too_large`: the answer exceeds the limit of bytes
 * - `invalid_answer`: the answer is not HTTP, not JSON, or not of the documented shape
 * - `limited`: status 429
 * - `failing`: any other status that the operation does not expect, such as 5xx
 */
export type UnreachableReason =
  | 'timeout'
  | 'refused'
  | 'dns'
  | 'out_of_reach'
  | 'reset'
  | 'too_large'
  | 'invalid_answer'
  | 'limited'
  | 'failing'

/**
 * Another service gave no usable answer; a later attempt may help. The message contains only host and reason, without
 * the underlying error: paths, headers and bodies may contain credentials.
 */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
  readonly reason: UnreachableReason
  readonly host: string
  /** null when no answer came. */
  readonly status: number | null
  /** How long the service asks us to wait, in milliseconds; null when it does not say. */
  readonly retryAfterMs: number | null

  constructor(
    reason: UnreachableReason,
    host: string,
    details: {
      readonly code?: string | undefined
      readonly status?: number
      readonly retryAfterMs?: number | null
    } = {},
  ) {
    const detail = details.code ?? details.status
    super(`${host}: ${sentences[reason]}${detail === undefined ? '' : ` (${detail})`}`)
    this.reason = reason
    this.host = host
    this.status = details.status ?? null
    this.retryAfterMs = details.retryAfterMs ?? null
  }
}

const sentences: Readonly<Record<UnreachableReason, string>> = {
  timeout: 'did not answer in time',
  refused: 'no connection could be made',
  dns: 'the name has no address',
  out_of_reach: 'there is no address that may be connected to',
  reset: 'the connection broke',
  too_large: 'the answer is too large',
  invalid_answer: 'the answer does not have the documented form',
  limited: 'too many requests',
  failing: 'the answer is an error',
}

type Content =
  | { readonly form: Readonly<Record<string, string>>; readonly json?: never }
  | { readonly json: unknown; readonly form?: never }
  | { readonly form?: never; readonly json?: never }

/** `form` is sent URL-encoded. An abort by `signal` rejects with the signal's reason. */
type HttpRequest = Content & {
  readonly method: Dispatcher.HttpMethod
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface HttpAnswer {
  readonly host: string
  readonly status: number
  /** Names in lower case; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** @throws Unreachable `invalid_answer` */
  json(): unknown
}

export interface HttpClient {
  /**
   * Resolves with any status, including redirects.
   *
   * @throws Unreachable `timeout`, `refused`, `dns`, `reset`, `too_large` or `invalid_answer`
   */
  request(request: HttpRequest): Promise<HttpAnswer>
  /** Waits for running requests, which end by their deadline. */
  close(): Promise<void>
}

export interface HttpClientOptions {
  readonly userAgent: string
  /** The time from the call until the last byte of the answer, including the wait for a free connection. */
  readonly timeoutMs: number
  readonly maxBodyBytes: number
  /** The maximum of simultaneous connections to one origin. */
  readonly connections: number
}

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const outgoing = agentOf({
    connections: options.connections,
    maxResponseSize: options.maxBodyBytes,
    connect: { timeout: options.timeoutMs },
    // The deadline of the whole request replaces these two timeouts.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  })
  return {
    async request(request) {
      const { origin, host, pathname, search } = new URL(request.url)
      const agent = await outgoing.get()
      const deadline = AbortSignal.timeout(options.timeoutMs)
      const signal = request.signal === undefined ? deadline : AbortSignal.any([deadline, request.signal])
      const { body, headers } = encode(request)
      try {
        const answer = await agent.request({
          origin,
          path: pathname + search,
          method: request.method,
          headers: { accept: 'application/json', 'user-agent': options.userAgent, ...headers, ...request.headers },
          body,
          signal,
        })
        return toAnswer(host, answer.statusCode, answer.headers, await answer.body.text())
      } catch (error) {
        request.signal?.throwIfAborted()
        if (deadline.aborted) throw new Unreachable('timeout', host)
        throw explained(error, host)
      }
    },
    close: () => outgoing.close(),
  }
}

function encode({ form, json }: HttpRequest): {
  readonly body: string | null
  readonly headers: Record<string, string>
} {
  if (form !== undefined) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return { body: new URLSearchParams(form).toString(), headers }
  }
  if (json !== undefined) return { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } }
  return { body: null, headers: {} }
}

/** Repeated headers are joined with commas. */
export function joinedHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]))
}

function toAnswer(host: string, status: number, headers: Dispatcher.ResponseData['headers'], text: string): HttpAnswer {
  return {
    host,
    status,
    headers: joinedHeaders(headers),
    text,
    json() {
      try {
        return JSON.parse(text)
      } catch {
        // The parser's own error would quote the text.
        throw new Unreachable('invalid_answer', host, { status })
      }
    },
  }
}

/** Error codes of Node.js and the HTTP library. All other codes arise while connecting, mostly from certificates. */
const reasons: Readonly<Record<string, UnreachableReason>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_ABORTED: 'reset',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'reset',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too_large',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
}

/** Programming errors of the caller. */
const misuses: ReadonlySet<string> = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
])

/** Converts an error of the HTTP library; a programming error of the caller is returned unchanged. */
export function explained(error: unknown, host: string): unknown {
  if (error instanceof Error && error.name === 'HTTPParserError') return new Unreachable('invalid_answer', host)
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
  if (code === undefined || misuses.has(code)) return error
  return new Unreachable(reasons[code] ?? 'refused', host, { code })
}
