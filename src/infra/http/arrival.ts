import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** How long a request may take to arrive, and how a connection ends on which one will not be heard to its end. */

const bounds = new WeakMap<IncomingMessage, () => void>()

/**
 * Refuses a request whose body has not come in time, in the way in which Node.js refuses one whose headers have not: its own
 * limit is the same for all requests, and uploads may take longer.
 */
export function boundArrival(server: Server, request: IncomingMessage, ms: number): void {
  const { headers, socket } = request
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!hasBody) return
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

/** Of what comes after a refusal. (M4) */
const mostUnheard = 64 * 1024
/** Milliseconds that a caller who is still sending gets to read why that is in vain. */
const readingTimeMs = 1_000

/**
 * Has the connection end with this answer, where the request has not come to its end: a little more of it is read, so that a
 * caller who was about to finish is not cut off, and nothing is kept of it.
 */
export function closeAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  request.on('error', () => {})
  // Whoever read it may have stopped in its midst; what has come already is no more to anybody.
  if (request.complete || response.headersSent) return void request.resume()
  const { socket } = request
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
