import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Head } from '../events/head.ts'
import { codingOf, type Ready } from './answer.ts'
import type { Answers } from './answer-cache.ts'
import type { Connections } from './connections.ts'
import { type Coding, codedTag } from './content-codings.ts'
import { matches } from './etag.ts'
import { crossOrigin, standing } from './headers.ts'
import type { Headers, RateLimits } from './limits.ts'
import { rememberedTiming } from './timing.ts'

/**
 * Runs before the framework: an anonymous read with a cached answer is answered here, with the same bytes and headers
 * that the framework would send, after a check that the answer is still valid. Every other request goes to the
 * framework.
 */

export interface FastPath {
  readonly head: Head
  readonly answers: Answers
  readonly limits: RateLimits
  readonly connections: Connections
  /** Whether some peers are trusted proxies: then only the framework can find the caller's address. */
  readonly trusting: boolean
  /** Whether answers tell where their time went. */
  readonly isTimed: boolean
  /** Whether the service is about to end: the framework then tells callers to use another connection. */
  readonly isClosing: () => boolean
  readonly done: (operation: string, requestId: string, status: number, startedAt: number) => void
}

export function before(next: RequestListener, path: FastPath): RequestListener {
  const { head, answers, limits, connections, trusting, isTimed, isClosing, done } = path

  async function answer(request: IncomingMessage, response: ServerResponse, caller: string): Promise<boolean> {
    const startedAt = performance.now()
    const timedFrom = isTimed ? startedAt : null
    await head.catchUp()
    const ready = answers.get(request.url ?? '')
    if (ready === undefined) return false
    const standingOf = limits.count('read', caller)
    const requestId = randomUUID()
    const fresh = matches(request.headers['if-none-match'], ready.etag)
    const coding = codingOf(ready, request.headers['accept-encoding'])
    if (fresh) {
      const etag = coding === null ? ready.etag : codedTag(ready.etag, coding)
      response
        .writeHead(304, flatten(ready, standingOf, requestId, { etag, coding: null, length: null, timedFrom }))
        .end()
    } else {
      // The answer was valid after the request had arrived, however long the compression takes.
      const form = coding === null ? ready : await ready.coded?.form(coding, ready)
      if (form === undefined) return false
      const { etag, length, text } = form
      response.writeHead(200, flatten(ready, standingOf, requestId, { etag, coding, length, timedFrom }))
      if (text === null) response.end(form.body)
      else response.end(text, 'latin1')
    }
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
      // A refusal or failure: the framework meets the same one, and answers it in the proper form.
      () => next(request, response),
    )
  }
}

const fixed = Object.entries({ ...standing, ...crossOrigin }).flat()

interface Shape {
  readonly etag: string
  readonly coding: Coding | null
  /** null for an answer without a body. */
  readonly length: string | null
  /** When the request began; null where its time is not told. */
  readonly timedFrom: number | null
}

function flatten(
  ready: Ready,
  limits: Headers,
  requestId: string,
  { etag, coding, length, timedFrom }: Shape,
): string[] {
  const headers = [...fixed, 'request-id', requestId, 'etag', etag]
  for (const name in limits) headers.push(name, limits[name] as string)
  for (const name in ready.headers) {
    if (!(length === null && name === 'content-type')) headers.push(name, ready.headers[name] as string)
  }
  if (timedFrom !== null) headers.push('server-timing', rememberedTiming(timedFrom))
  if (coding !== null) headers.push('content-encoding', coding)
  if (length !== null) headers.push('content-length', length)
  return headers
}
