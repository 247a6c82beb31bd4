import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How long a request may take to arrive, and how a connection ends whose request is not read to its end. */

const bounds = new WeakMap<IncomingMessage, () => void>()

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Refuses a request whose body has not arrived in time, in the way in which Node.js refuses one whose headers have not:
 * its own limit is the same for all requests, and uploads may take longer.
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

/** Removes the time limit of a request whose reader has its own limits. */
export function liftArrivalBound(request: IncomingMessage): void {
  bounds.get(request)?.()
}

/** Maximum bytes of a refused body that are read and discarded. (D72) */
const maxUnheard = 8 * 1024 * 1024
/** Milliseconds for which they are read after the answer was sent. (D72) */
const readingTimeMs = 2_000

/** Connections that will be closed after the current answer. */
const ending = new WeakSet<Socket>()

/**
 * Whether a request came on a connection after one that was refused before its end: the connection is closing, so this
 * request is ignored.
 */
export function cameTooLate({ socket }: IncomingMessage): boolean {
  return ending.has(socket)
}

/**
 * Closes the connection of a refused request whose body has not fully arrived. The answer is sent first, and the rest
 * of the body is read for a while, so that a client that sends everything before it reads still sees why it was
 * refused. (D72)
 */
export function closeAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return
  request.on('error', () => {})
  // The body's reader may have stopped in the middle; bytes that have already arrived are discarded.
  if (request.complete || response.headersSent) return void request.resume()
  const { socket } = request
  ending.add(socket)
  response.shouldKeepAlive = false
  let left = maxUnheard
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left <= 0) request.pause()
  })
  request.resume()
  const closeNow = socket.destroySoon.bind(socket)
  // Node.js calls this after the answer was sent. Closing with unread bytes would discard the answer at the client.
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
