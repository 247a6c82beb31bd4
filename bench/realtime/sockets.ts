import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/**
 * Socket clients that need almost no processor time, because they share two cores with the measured service. Clients
 * that read messages also answer pings; the others are open for less than a minute.
 */

export interface LightSocket {
  readonly socket: Socket
  send(packet: object): void
  close(): void
}

interface LightOptions {
  readonly port: number
  readonly token?: string
  /** A loopback address: one address has ports for only some 28,000 connections. */
  readonly from?: string
  /** Called with each message. */
  readonly onMessage?: (text: string) => void
  /** Called with the number of received bytes instead, when messages are not read. */
  readonly onBytes?: (bytes: number) => void
  readonly onClose?: () => void
}

export async function openLight({
  port,
  token,
  from,
  onMessage,
  onBytes,
  onClose,
}: LightOptions): Promise<LightSocket> {
  const socket = connect({ host: '127.0.0.1', port, ...(from === undefined ? {} : { localAddress: from }) })
  socket.setNoDelay(true)
  await once(socket, 'connect')
  const headers = [
    ...['GET / HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Upgrade: websocket', 'Connection: Upgrade'],
    ...['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'],
    'Sec-WebSocket-Protocol: downbeat.v1',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
  ]
  socket.write(`${headers.join('\r\n')}\r\n\r\n`)
  const [head] = (await once(socket, 'data')) as [Buffer]
  if (!head.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error(head.toString('latin1', 0, 80))
  const rest = head.subarray(head.indexOf('\r\n\r\n') + 4)
  if (onMessage !== undefined) {
    const read = reader(onMessage, (payload) => void socket.write(framed(0x8a, payload)))
    read(rest)
    socket.on('data', read)
  } else {
    onBytes?.(rest.length)
    socket.on('data', (data: Buffer) => onBytes?.(data.length))
  }
  socket.on('error', () => {})
  if (onClose !== undefined) socket.on('close', onClose)
  return {
    socket,
    send: (packet) => void socket.write(framed(0x81, Buffer.from(JSON.stringify(packet)))),
    close: () => socket.destroy(),
  }
}

/** Opens `count` sockets, some at a time, so that none waits too long. */
export async function openMany<T>(count: number, open: (index: number) => Promise<T>): Promise<T[]> {
  const opened: T[] = []
  for (let from = 0; from < count; from += 200) {
    const some = Array.from({ length: Math.min(200, count - from) }, (_, offset) => open(from + offset))
    opened.push(...(await Promise.all(some)))
  }
  return opened
}

/** One of the loopback addresses. */
export function loopback(index: number): string {
  return `127.0.1.${1 + (index % 200)}`
}

/** A client's frame, masked with zeros. (RFC 6455 §5.3) */
function framed(kind: number, payload: Buffer): Buffer {
  const { length } = payload
  const head = length < 126 ? [kind, 0x80 | length] : [kind, 0xfe, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload])
}

function reader(onMessage: (text: string) => void, onPing: (payload: Buffer) => void): (data: Buffer) => void {
  let held: Buffer = Buffer.alloc(0)
  /** The frames of a message so far. */
  const parts: Buffer[] = []
  return (data) => {
    held = held.length === 0 ? data : Buffer.concat([held, data])
    for (;;) {
      if (held.length < 2) return
      const short = (held[1] as number) & 127
      const headLength = short < 126 ? 2 : short === 126 ? 4 : 10
      if (held.length < headLength) return
      const length = short < 126 ? short : short === 126 ? held.readUInt16BE(2) : Number(held.readBigUInt64BE(2))
      if (held.length < headLength + length) return
      const payload = held.subarray(headLength, headLength + length)
      const kind = (held[0] as number) & 15
      const isLast = ((held[0] as number) & 0x80) !== 0
      if (kind === 1 && isLast) onMessage(payload.toString())
      else if (kind < 2) {
        parts.push(payload)
        if (isLast) onMessage(Buffer.concat(parts.splice(0)).toString())
      } else if (kind === 9) onPing(payload)
      held = held.subarray(headLength + length)
    }
  }
}
