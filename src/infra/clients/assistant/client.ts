import { isIPv6 } from 'node:net'
import { WebSocket } from 'ws'
import { Unreachable } from '../http.ts'
import { OutOfReach, type Reach } from '../internet.ts'
import { whyUnreachable } from '../webhook.ts'
import { type Codec, converse, type Rhythm } from './connection.ts'
import { socketMaker, WrongCertificate } from './sockets.ts'
import type { AssistantAddress, AssistantClient, AssistantConnection, Opening } from './types.ts'

/**
 * Connections to assistants' servers at addresses of users: no redirects, and one deadline until the socket is open.
 * (AS1, AS10; D34)
 */

export interface AssistantClientOptions extends Reach {
  /** Whether servers without TLS are allowed; tokens are sent unencrypted to them. */
  readonly allowPlain: boolean
  /** The time limit until the socket is open. */
  readonly timeoutMs: number
  readonly rhythm?: Rhythm
}

/** A client with a counter over all its connections. */
export interface CountingAssistantClient extends AssistantClient {
  /** Packets that we do not use, such as unknown packets of newer servers. */
  readonly ignoredPackets: number
}

const usualRhythm: Rhythm = { heartbeatMs: 10_000, silentMs: 25_000 }

/** A message is read whole before it is checked; the codec has smaller limits. */
const maxPayload = 16 * 1024 * 1024

export function createAssistantClient(options: AssistantClientOptions): CountingAssistantClient {
  const { timeoutMs, rhythm = usualRhythm } = options
  const makeSocket = socketMaker(options, timeoutMs)
  const open = new Set<AssistantConnection>()
  const sockets = new Set<WebSocket>()
  let isClosed = false
  let ignoredPackets = 0
  /** Shared by all connections. */
  let decode: Codec['decode'] | undefined

  async function connect(wanted: Opening): Promise<AssistantConnection> {
    const { address } = wanted
    const url = urlOf(address, options.allowPlain)
    const deadline = AbortSignal.timeout(timeoutMs)
    // Loaded with the first connection, because the tables of the wire format need memory.
    const wire = await import('./codec/codec.ts')
    decode ??= wire.decodingOnce(wire.decode)
    if (isClosed) throw new Unreachable('refused', url.host)
    const socket = new WebSocket(url, {
      createConnection: makeSocket(address, url),
      followRedirects: false,
      perMessageDeflate: false,
      maxPayload,
    })
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    try {
      await opened(socket, deadline)
    } catch (error) {
      throw unreachable(error, url.host)
    }
    const connection = converse(socket, { ...wire, decode }, rhythm, {
      ...wanted,
      onMessage(told) {
        if (told.type === 'other') ignoredPackets++
        wanted.onMessage(told)
      },
      onEnd(end, words) {
        open.delete(connection)
        wanted.onEnd(end, words)
      },
    })
    open.add(connection)
    return connection
  }

  return {
    get ignoredPackets() {
      return ignoredPackets
    },
    open: connect,
    async close() {
      isClosed = true
      for (const connection of open) connection.close()
      await Promise.all([...sockets].map(gone))
    },
  }
}

/** Waits for the end of a socket. A socket that is not closing yet, which no caller has, is terminated. */
function gone(socket: WebSocket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.once('close', () => resolve())
  if (socket.readyState < WebSocket.CLOSING) socket.terminate()
  return promise
}

/** @throws Unreachable when the address names no server, or a server without TLS where TLS is required */
function urlOf({ host, port, tls }: AssistantAddress, allowPlain: boolean): URL {
  const name = isIPv6(host) ? `[${host}]` : host
  const url = URL.parse(`${tls ? 'wss' : 'ws'}://${name}:${port}/`)
  // A host that contains a path or a user would lead to another server.
  const isHostAlone = url !== null && !/[\s/?#@\\%]/.test(name) && url.pathname === '/'
  if (!isHostAlone || !(tls || allowPlain))
    throw new Unreachable('out_of_reach', isHostAlone ? url.host : 'the assistant')
  return url
}

/** The server refused the upgrade with an HTTP status: it is no assistant, or it redirects. */
class RefusedUpgrade extends Error {
  readonly status: number

  constructor(status: number) {
    super('the upgrade was refused')
    this.status = status
  }
}

async function opened(socket: WebSocket, deadline: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const giveUp = () => reject(deadline.reason)
  if (deadline.aborted) giveUp()
  deadline.addEventListener('abort', giveUp, { once: true })
  // Stays registered, because an unhandled error of the socket would end the process.
  socket.on('error', reject)
  socket.once('open', () => {
    // Messages are paused until the caller has the connection.
    socket.pause()
    resolve()
  })
  socket.once('close', () => reject(new Error('closed')))
  socket.once('unexpected-response', (request, response) => {
    reject(new RefusedUpgrade(response.statusCode ?? 0))
    response.destroy()
    request.destroy()
  })
  try {
    await promise
  } catch (error) {
    socket.terminate()
    throw error
  } finally {
    deadline.removeEventListener('abort', giveUp)
  }
}

/** An error with host and reason alone, because messages of the system may contain an internal address. */
function unreachable(error: unknown, host: string): Unreachable {
  if (error instanceof OutOfReach) return whyUnreachable(error, host)
  if (error instanceof WrongCertificate) return new Unreachable('refused', host, { code: 'WRONG_CERTIFICATE' })
  if (error instanceof RefusedUpgrade) return new Unreachable('failing', host, { status: error.status })
  if (error instanceof DOMException && error.name === 'TimeoutError') return new Unreachable('timeout', host)
  if (error instanceof Error && 'code' in error) return whyUnreachable(error, host)
  return new Unreachable('invalid_answer', host)
}
