import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Head } from '../events/head.ts'
import type { Ready } from './answer.ts'
import type { Answers } from './answers.ts'
import type { Connections } from './connections.ts'
import { matches } from './etag.ts'
import { crossOrigin, standing } from './headers.ts'
import type { Headers, RateLimits } from './limits.ts'

/**
 * Stands before the framework: an anonymous read whose answer is remembered is answered here, with the very bytes and
 * headers that the long way would send, after asking whether they are still true. Everything else goes on.
 */

export interface FastPath {
  readonly head: Head
  readonly answers: Answers
  readonly limits: RateLimits
  readonly connections: Connections
  /** Whether some peers are proxies: then the caller's address takes the long way to find. */
  readonly trusting: boolean
  /** Whether the service is about to end: the long way tells callers to come on another connection. */
  readonly isClosing: () => boolean
  readonly done: (operation: string, requestId: string, status: number, startedAt: number) => void
}

export function before(next: RequestListener, path: FastPath): RequestListener {
  const { head, answers, limits, connections, trusting, isClosing, done } = path

  async function answer(request: IncomingMessage, response: ServerResponse, caller: string): Promise<boolean> {
    const startedAt = performance.now()
    await head.catchUp()
    const ready = answers.get(request.url ?? '')
    if (ready === undefined) return false
    const standingOf = limits.count('read', caller)
    const requestId = randomUUID()
    const fresh = matches(request.headers['if-none-match'], ready.etag)
    const headers = flatten(ready, standingOf, requestId, fresh)
    if (fresh) response.writeHead(304, headers).end()
    else if (ready.text === null) response.writeHead(200, headers).end(ready.body)
    else response.writeHead(200, headers).end(ready.text, 'latin1')
    done(ready.operation, requestId, response.statusCode, startedAt)
    return true
  }

  return (request, response) => {
    const caller = connections.use(request.socket)
    const { method, headers } = request
    const plain =
      (method === 'GET' || method === 'HEAD') &&
      headers.authorization === undefined &&
      headers.host !== undefined &&
      headers.expect === undefined &&
      !isClosing() &&
      !(trusting && headers['x-forwarded-for'] !== undefined) &&
      answers.has(request.url ?? '')
    if (!plain) return next(request, response)
    answer(request, response, caller).then(
      (answered) => {
        if (!answered) next(request, response)
      },
      // Refused or failed: the long way meets the same, and says so in the proper form.
      () => next(request, response),
    )
  }
}

const fixed = Object.entries({ ...standing, ...crossOrigin }).flat()

function flatten(ready: Ready, limits: Headers, requestId: string, fresh: boolean): string[] {
  const headers = [...fixed, 'request-id', requestId, 'etag', ready.etag]
  for (const name in limits) headers.push(name, limits[name] as string)
  for (const name in ready.headers) {
    if (!(fresh && name === 'content-type')) headers.push(name, ready.headers[name] as string)
  }
  if (!fresh) headers.push('content-length', ready.length)
  return headers
}
