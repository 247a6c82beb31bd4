import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { invalid, Problem } from '../../core/problem.ts'
import { STATUS_CODES } from '../node-http.ts'
import { answerUnderWay } from './connections.ts'
import { errorHeaders } from './errors.ts'
import { standing } from './headers.ts'
import { statusOf } from './statuses.ts'

/** Refuses data that never becomes a request: bytes that are not HTTP, too many of them, or too late ones. */

export const maxHeaderBytes = 16 * 1024

/** Milliseconds that a client that is still sending gets to read the refusal. */
const readingTimeMs = 1_000

const refused = new WeakSet<Socket>()

/**
 * Answers in the form of all other errors (D10) and closes the connection. Calls `done` if no other code reports the
 * request.
 */
export function refuse(error: Error, socket: Socket, done: (requestId: string, status: number) => void): void {
  if (refused.has(socket)) return
  const { code } = error as NodeJS.ErrnoException
  const answer = answerUnderWay(socket)
  if (code === 'ECONNRESET' || !socket.writable || answer?.headersSent) {
    socket.destroy()
    return
  }
  refused.add(socket)
  const problem = problemOf(code)
  const status = statusOf(problem, undefined)
  const requestId = randomUUID()
  socket.end(refusalText(problem, status, requestId))
  // Closing immediately, with unread bytes, would discard the answer at the client; a late request must not be
  // finished.
  if (problem.kind === 'timeout') socket.destroySoon()
  else setTimeout(() => socket.destroy(), readingTimeMs).unref()
  if (answer === null) done(requestId, status)
}

function problemOf(code: string | undefined): Problem {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('timeout', 'request.timeout', 'The request took too long to arrive; send it again.')
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(
        'headers_too_large',
        'request.headers_too_large',
        `Address and headers may have at most ${maxHeaderBytes} bytes together.`,
      )
    default:
      return invalid('request.malformed', 'The request is not valid HTTP/1.1.')
  }
}

function refusalText({ code, message }: Problem, status: number, requestId: string): string {
  const headers = {
    ...standing,
    ...errorHeaders(code),
    'request-id': requestId,
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(message),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', message].join('\r\n')
}
