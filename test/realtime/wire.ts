import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Harness } from '../harness.ts'

/** RFC 6455 written by hand, for packets that no well-behaved client sends. */

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

export interface FrameOptions {
  readonly isFinal?: boolean
  readonly isMasked?: boolean
  /** Reserved bits: 4, 2 and 1. */
  readonly reserved?: number
  /** Replaces the length of the payload. */
  readonly length?: number | bigint
}

export function frame(opcode: number, payload: string | Uint8Array = '', options: FrameOptions = {}): Buffer {
  const { isFinal = true, isMasked = true, reserved = 0 } = options
  const bytes = Buffer.from(payload as string)
  const length = BigInt(options.length ?? bytes.length)
  const size = length < 126n ? 0 : length < 65_536n ? 2 : 8
  const head = Buffer.alloc(2 + size)
  head[0] = (isFinal ? 0x80 : 0) | (reserved << 4) | opcode
  head[1] = (isMasked ? 0x80 : 0) | (size === 0 ? Number(length) : size === 2 ? 126 : 127)
  if (size === 2) head.writeUInt16BE(Number(length), 2)
  if (size === 8) head.writeBigUInt64BE(length, 2)
  if (!isMasked) return Buffer.concat([head, bytes])
  const key = randomBytes(4)
  for (const [index, byte] of bytes.entries()) bytes[index] = byte ^ (key[index % 4] as number)
  return Buffer.concat([head, key, bytes])
}

export interface Frame {
  readonly opcode: number
  readonly payload: Buffer
}

export interface RawSocket {
  readonly socket: Socket
  readonly frames: readonly Frame[]
  readonly head: string
  send(...bytes: Uint8Array[]): void
  /** The received packets, without the greeting. */
  readonly packets: () => { readonly type: string }[]
  /** The code with which the service closed; null when it only ended the connection. */
  readonly closed: Promise<number | null>
}

export function handshakeText(path = '/', headers: readonly string[] = []): string {
  const all = [
    ...[`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket'],
    ...['Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`],
    ...['Sec-WebSocket-Protocol: downbeat.v1', ...headers],
  ]
  return [...all, '', ''].join('\r\n')
}

export async function connectTo(api: Harness): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(api.app.socketAddress ?? '').port), noDelay: true })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Completes the handshake, and waits for the greeting. */
export async function openRaw(api: Harness, headers: readonly string[] = []): Promise<RawSocket> {
  const socket = await connectTo(api)
  const frames: Frame[] = []
  let received = Buffer.alloc(0)
  let head = ''
  const { promise: greeted, resolve: greet } = Promise.withResolvers<void>()
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    if (head === '') {
      const end = received.indexOf('\r\n\r\n')
      if (end < 0) return
      head = received.subarray(0, end).toString()
      received = received.subarray(end + 4)
    }
    for (;;) {
      const read = readFrame(received)
      if (read === null) break
      frames.push(read.frame)
      const { opcode, payload } = read.frame
      if (opcode === opcodes.close) {
        end(payload.readUInt16BE(0))
        socket.destroy()
      }
      received = received.subarray(read.length)
      greet()
    }
  })
  const { promise: closed, resolve: end } = Promise.withResolvers<number | null>()
  socket.on('close', () => {
    greet()
    end(null)
  })
  socket.write(handshakeText('/', headers))
  await greeted
  const packets = () =>
    frames.filter(({ opcode }) => opcode === opcodes.text).map(({ payload }) => JSON.parse(String(payload)))
  return {
    socket,
    frames,
    closed,
    get head() {
      return head
    },
    packets: () => packets().slice(1),
    send: (...bytes) => void socket.write(Buffer.concat(bytes)),
  }
}

/** Reads a frame of the service, which is unmasked; large messages in several frames do not occur here. */
function readFrame(bytes: Buffer): { readonly frame: Frame; readonly length: number } | null {
  if (bytes.length < 2) return null
  const short = (bytes[1] as number) & 0x7f
  const at = short < 126 ? 2 : short === 126 ? 4 : 10
  if (bytes.length < at) return null
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  if (bytes.length < at + length) return null
  return {
    frame: { opcode: (bytes[0] as number) & 0x0f, payload: bytes.subarray(at, at + length) },
    length: at + length,
  }
}
