import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import type { EndOfConnection } from './messages.ts'
import type { AssistantConnection, Opening } from './types.ts'

/** How a connection is kept: a packet and a ping as often, and dead when nothing came for so long. (AS10) */
export interface Rhythm {
  readonly heartbeatMs: number
  readonly silentMs: number
}

export type Codec = Pick<typeof import('./codec/codec.ts'), 'encode' | 'decode' | 'MalformedPacket'>

/** A server that does not answer our goodbye is left after that. */
const goodbyeMs = 1_000

/** Codes of RFC 6455: what cannot be accepted, and what breaks the protocol. */
const normalClosure = 1_000
const protocolError = 1_002

/** @param socket open, and paused: what it holds is told once the caller has the connection */
export function converse(
  socket: WebSocket,
  { encode, decode, MalformedPacket }: Codec,
  { heartbeatMs, silentMs }: Rhythm,
  { token, tournament, onTold, onEnd }: Opening,
): AssistantConnection {
  let hasEnded = false
  let lastPacketAt = performance.now()

  const heartbeat = setInterval(() => {
    try {
      connection.send({ type: 'heartbeat' })
      socket.ping()
    } catch {
      // There is no caller here that the error could be thrown at; whoever opened it asks for a token again when it opens anew.
      end('closed', 'there was no token to go on with')
    }
  }, heartbeatMs)
  let silence = setTimeout(listen, silentMs)

  /** Timers run by a clock that may be a moment behind: what is left of the time is waited for, and not all of it once more. */
  function listen(): void {
    // Where this process was held up itself, what came meanwhile is read first.
    setImmediate(() => {
      if (hasEnded) return
      const leftMs = lastPacketAt + silentMs - performance.now()
      if (leftMs <= 0) end('silent', 'nothing came any more')
      else silence = setTimeout(listen, Math.ceil(leftMs))
    })
  }

  function heard(): void {
    if (hasEnded) return
    lastPacketAt = performance.now()
  }

  function end(reason: EndOfConnection, words: string): void {
    if (hasEnded) return
    hasEnded = true
    clearInterval(heartbeat)
    clearTimeout(silence)
    if (reason === 'silent') socket.terminate()
    else if (socket.readyState !== socket.CLOSED) {
      socket.close(reason === 'protocol' ? protocolError : normalClosure)
      const goodbye = setTimeout(() => socket.terminate(), goodbyeMs)
      socket.once('close', () => clearTimeout(goodbye))
      // What it still holds would keep its end from being seen.
      socket.resume()
    }
    setImmediate(() => onEnd(reason, words))
  }

  const connection: AssistantConnection = {
    selfGuid: '',
    get lastPacketAt() {
      return lastPacketAt
    },
    send(message) {
      const id = randomUUID()
      const bytes = encode(message, { token: token(), id, from: connection.selfGuid, tournament })
      // One that has ended says so by itself; what failed on the way is found by the silence that follows.
      if (!hasEnded) socket.send(bytes, () => {})
      return id
    },
    close: () => end('closed', 'we closed the connection'),
  }

  socket.on('message', (data, isBinary) => {
    if (hasEnded) return
    heard()
    if (!isBinary || !(data instanceof Buffer)) {
      end('protocol', 'the server sent text')
      return
    }
    const told = read(data)
    if (told !== null) onTold(told)
  })
  socket.on('ping', heard)
  socket.on('pong', heard)
  socket.on('close', () => end('closed', 'the server closed the connection'))
  socket.on('error', (error) => {
    // The library's own codes tell of frames that break the protocol, and of messages that are too large.
    if ('code' in error && String(error.code).startsWith('WS_ERR_')) end('protocol', 'the server broke the protocol')
    else end('closed', 'the connection broke')
  })

  function read(data: Buffer) {
    try {
      return decode(data, { tournament, hasJoined: connection.selfGuid !== '' })
    } catch (error) {
      if (!(error instanceof MalformedPacket)) throw error
      end('protocol', `the server sent what is no packet of an assistant: ${error.message}`)
      return null
    }
  }

  setImmediate(() => {
    if (!hasEnded) socket.resume()
  })
  return connection
}
