import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How long a request may take to arrive, and how a connection ends on which one will not be heard to its end. */

const bounds = new WeakMap<IncomingMessage, () => void>()

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Refuses a request whose body has not come in time, in the way in which Node.js refuses one whose headers have not: its own
 * limit is the same for all requests, and uploads may take longer.
 */
export function boundArrival(server: Server, request: IncomingMessage, ms: number): void {
  if (!hasBody(request)) return
  const { socket } = request
  const late = () => {
    const error = Object.assign(new Error('the request did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    if (!request.complete) server.emit('clientError', error, socket)
  }
  const timer = setTimeout(late, ms).unref()
  const lift = () => clearTimeout(timer)
  bounds.set(request, lift)
  request.once('end', lift).once('close', lift)
}

/** For a request whose reader has limits of its own. */
export function liftArrivalBound(request: IncomingMessage): void {
  bounds.get(request)?.()
}

/** Bytes that are read, and kept nowhere, of a body that was refused. (D72) */
const mostUnheard = 8 * 1024 * 1024
/** Milliseconds for which they are read once the answer is out. (D72) */
const readingTimeMs = 2_000

/** Connections that end with the answer that is being sent. */
const ending = new WeakSet<Socket>()

/** Whether a request came behind one that was refused before its end: its connection ends, and nobody hears what becomes of it. */
export function cameTooLate({ socket }: IncomingMessage): boolean {
  return ending.has(socket)
}

/**
 * A refused request has its connection end with the answer, where its body has not come to its end: the answer is sent, and the rest
 * of the body is read for a while, so that also a client that sends everything before it reads sees why it was refused. (D72)
 */
export function closeAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return
  request.on('error', () => {})
  // Whoever read it may have stopped in its midst; what has come already is no more to anybody.
  if (request.complete || response.headersSent) return void request.resume()
  const { socket } = request
  ending.add(socket)
  response.shouldKeepAlive = false
  let left = mostUnheard
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left <= 0) request.pause()
  })
  request.resume()
  const closeNow = socket.destroySoon.bind(socket)
  // What Node.js calls once the answer is out. Closing then, with bytes of theirs unread, would take the answer back.
  socket.destroySoon = () => {
    if (request.complete) return closeNow()
    socket.end()
    const timer = setTimeout(() => socket.destroy(), readingTimeMs).unref()
    request.once('end', () => {
      clearTimeout(timer)
      closeNow()
    })
    socket.once('close', () => clearTimeout(timer))
  }
}
