import { isIPv6 } from 'node:net'
import { WebSocket } from 'ws'
import { Unreachable } from '../http.ts'
import { OutOfReach, type Reach } from '../internet.ts'
import { whyUnreachable } from '../webhook.ts'
import { type Codec, converse, type Rhythm } from './connection.ts'
import { socketMaker, WrongCertificate } from './sockets.ts'
import type { AssistantAddress, AssistantClient, AssistantConnection, Opening } from './types.ts'

/**
 * Connections to assistants' servers, wherever users say that they are: no redirects, and one deadline until the socket is
 * open. (AS1, AS10; D34)
 */

export interface AssistantClientOptions extends Reach {
  /** Whether servers without TLS may be connected to; tokens go there in the clear. */
  readonly allowPlain: boolean
  /** Until the socket is open. */
  readonly timeoutMs: number
  readonly rhythm?: Rhythm
}

/** With what is told of all its connections together. */
export interface CountingAssistantClient extends AssistantClient {
  /** Packets that we had no use for, among them those of newer servers that we do not know. */
  readonly ignoredPackets: number
}

const usualRhythm: Rhythm = { heartbeatMs: 10_000, silentMs: 25_000 }

/** A frame is read whole before it is looked at; the codec has narrower bounds. */
const maxPayload = 16 * 1024 * 1024

export function createAssistantClient(options: AssistantClientOptions): CountingAssistantClient {
  const { timeoutMs, rhythm = usualRhythm } = options
  const makeSocket = socketMaker(options, timeoutMs)
  const open = new Set<AssistantConnection>()
  const sockets = new Set<WebSocket>()
  let isClosed = false
  let ignoredPackets = 0
  /** Of all connections together. */
  let decode: Codec['decode'] | undefined

  async function connect(wanted: Opening): Promise<AssistantConnection> {
    const { address } = wanted
    const url = urlOf(address, options.allowPlain)
    const deadline = AbortSignal.timeout(timeoutMs)
    // The tables of the wire cost memory, which installations without an assistant keep.
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
      onTold(told) {
        if (told.type === 'other') ignoredPackets++
        wanted.onTold(told)
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

/** One that has not begun to say goodbye, since nobody has it yet, is left at once. */
function gone(socket: WebSocket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.once('close', () => resolve())
  if (socket.readyState < WebSocket.CLOSING) socket.terminate()
  return promise
}

/** @throws Unreachable for what names no server, or one without TLS where that is needed */
function urlOf({ host, port, tls }: AssistantAddress, allowPlain: boolean): URL {
  const name = isIPv6(host) ? `[${host}]` : host
  const url = URL.parse(`${tls ? 'wss' : 'ws'}://${name}:${port}/`)
  // What would be read as more than a host (a path, a user) leads elsewhere than it says.
  const isHostAlone = url !== null && !/[\s/?#@\\%]/.test(name) && url.pathname === '/'
  if (!isHostAlone || !(tls || allowPlain))
    throw new Unreachable('out_of_reach', isHostAlone ? url.host : 'the assistant')
  return url
}

/** Refused by a status of HTTP, as by a server that is no assistant's, or that leads elsewhere. */
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
  // What is not caught once the promise is settled would end the process.
  socket.on('error', reject)
  socket.once('open', () => {
    // Nothing is told before whoever opens it has the connection in hand.
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

/** By host and reason alone: what an error of the system says may name an inner address. */
function unreachable(error: unknown, host: string): Unreachable {
  if (error instanceof OutOfReach) return whyUnreachable(error, host)
  if (error instanceof WrongCertificate) return new Unreachable('refused', host, { code: 'WRONG_CERTIFICATE' })
  if (error instanceof RefusedUpgrade) return new Unreachable('failing', host, { status: error.status })
  if (error instanceof DOMException && error.name === 'TimeoutError') return new Unreachable('timeout', host)
  if (error instanceof Error && 'code' in error) return whyUnreachable(error, host)
  return new Unreachable('invalid_answer', host)
}
