import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import type { EndOfConnection } from './messages.ts'
import type { AssistantConnection, Opening } from './types.ts'

/**
 * The intervals of a connection: a packet and a ping every `heartbeatMs`, and the end after `silentMs` without a
 * message. (AS10)
 */
export interface Rhythm {
  readonly heartbeatMs: number
  readonly silentMs: number
}

export type Codec = Pick<typeof import('./codec/codec.ts'), 'encode' | 'decode' | 'MalformedPacket'>

/** How long the server may take to answer our close frame. */
const goodbyeMs = 1_000

/** Close codes of RFC 6455. */
const normalClosure = 1_000
const protocolError = 1_002

/** @param socket open and paused: its messages are read once the caller has the connection */
export function converse(
  socket: WebSocket,
  { encode, decode, MalformedPacket }: Codec,
  { heartbeatMs, silentMs }: Rhythm,
  { token, tournament, onMessage, onEnd }: Opening,
): AssistantConnection {
  let hasEnded = false
  let lastPacketAt = performance.now()

  const heartbeat = setInterval(() => {
    try {
      connection.send({ type: 'heartbeat' })
      socket.ping()
    } catch {
      // There is no caller to throw to; the owner of the connection asks for a token again when it reconnects.
      end('closed', 'there was no token to go on with')
    }
  }, heartbeatMs)
  let silence = setTimeout(listen, silentMs)

  /** Ends a silent connection. A timer may fire slightly early, so the remaining time is waited for. */
  function listen(): void {
    // If this process was blocked, messages that arrived meanwhile are read first.
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
      // Unread messages would delay the `close` event.
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
      // An ended connection reports its end itself; a failed send is noticed by the silence afterwards.
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
    if (told !== null) onMessage(told)
  })
  socket.on('ping', heard)
  socket.on('pong', heard)
  socket.on('close', () => end('closed', 'the server closed the connection'))
  socket.on('error', (error) => {
    // The library's codes mean frames that break the protocol, or messages that are too large.
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
