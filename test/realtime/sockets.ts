import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Caller, Harness } from '../harness.ts'
import { Copies, type Packet } from './copies.ts'
import { checkAnswer, checkPacket } from './packets-check.ts'

/** A socket from the client's side. */
export interface Socket extends AsyncDisposable {
  readonly copies: Copies
  readonly socket: WebSocket
  /** The number of received bytes, without pings. */
  readonly bytes: () => number
  /** Code and reason, once it is closed. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  /** Sends a packet; use the socket itself for other data. */
  send(packet: object): void
  /** Sends a packet with a new id; resolves with its answer, and rejects when the socket closes before. */
  ask(packet: object): Promise<Packet>
  close(): Promise<void>
}

export interface SocketOptions {
  /** The caller whose token is in the handshake's header. */
  readonly as?: Caller | null
  readonly headers?: Readonly<Record<string, string>>
  readonly protocols?: readonly string[]
  readonly query?: string
  /** The copies of an earlier socket that this one continues. */
  readonly copies?: Copies
}

let ids = 0

/** @throws Error for a refused handshake, with its status */
export async function openSocket(
  api: { readonly app: Pick<Harness['app'], 'socketAddress'> },
  options: SocketOptions = {},
): Promise<Socket> {
  const { as = null, headers = {}, protocols = ['downbeat.v1'], query = '' } = options
  const socket = new WebSocket(`${api.app.socketAddress}/${query}`, [...protocols], {
    headers: { ...(as === null ? {} : { authorization: `Bearer ${as.token}` }), ...headers },
  })
  const { copies = new Copies() } = options
  const greeted = copies.packets.length
  const answers = new Map<unknown, { take(packet: Packet): void; fail(error: Error): void }>()
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      resolve({ code, reason: String(reason) })
      for (const { fail } of answers.values()) fail(new Error(`closed with ${code} before the answer`))
    })
  })
  socket.on('message', (data) => {
    const packet = JSON.parse(String(data))
    copies.take(packet)
    answers.get(packet.id)?.take(packet)
    answers.delete(packet.id)
  })
  socket.on('unexpected-response', (_request, response) => {
    socket.emit('error', new Error(`refused with ${response.statusCode}`))
  })
  // A ping is a frame of its own, with two bytes before its payload. (RFC 6455 §5.2)
  let pings = 0
  socket.on('ping', (data: Buffer) => {
    pings += 2 + data.length
  })
  const bytes = () => (socket['_socket' as never]['bytesRead' as never] as number) - pings
  await once(socket, 'open')
  socket.on('error', () => {})
  await Promise.race([closed, copies.until(({ packets }) => packets.length > greeted, 'the greeting')])
  const close = async () => {
    socket.close()
    await closed
  }
  return {
    copies,
    socket,
    bytes,
    closed,
    close,
    send(packet) {
      checkPacket(packet, 'incoming')
      socket.send(JSON.stringify(packet))
    },
    ask(packet) {
      const id = `ask-${++ids}`
      const { promise, resolve, reject } = Promise.withResolvers<Packet>()
      const timer = setTimeout(() => reject(new Error(`no answer to ${JSON.stringify(packet)}`)), 60_000)
      const fail = (error: Error) => {
        clearTimeout(timer)
        reject(error)
      }
      const take = (answer: Packet) => {
        clearTimeout(timer)
        try {
          checkAnswer(packet, answer)
          resolve(answer)
        } catch (error) {
          reject(error)
        }
      }
      answers.set(id, { take, fail })
      if (socket.readyState === WebSocket.CLOSED) fail(new Error('closed before it was asked'))
      else socket.send(JSON.stringify({ ...packet, id }))
      return promise
    },
    [Symbol.asyncDispose]: close,
  }
}
