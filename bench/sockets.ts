import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Clients of the socket that cost next to nothing themselves: they share two cores with what they measure. */

export interface LightSocket {
  readonly socket: Socket
  send(packet: object): void
  close(): void
}

export interface LightOptions {
  readonly port: number
  readonly token?: string
  /** Of the many that the machine has for itself: one has ports for some 28,000 connections. */
  readonly from?: string
  /** Told of each message that came. */
  readonly onMessage?: (text: string) => void
  /** Told of the bytes that came, instead, where nobody reads them. */
  readonly onBytes?: (bytes: number) => void
}

export async function openLight({ port, token, from, onMessage, onBytes }: LightOptions): Promise<LightSocket> {
  const socket = connect({ host: '127.0.0.1', port, ...(from === undefined ? {} : { localAddress: from }) })
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
    const read = reader(onMessage)
    read(rest)
    socket.on('data', read)
  } else {
    onBytes?.(rest.length)
    socket.on('data', (data: Buffer) => onBytes?.(data.length))
  }
  socket.on('error', () => {})
  return { socket, send: (packet) => void socket.write(frameOf(JSON.stringify(packet))), close: () => socket.destroy() }
}

/** A client's frame: masked, with a mask of nothing but zeros. (RFC 6455 §5.3) */
function frameOf(text: string): Buffer {
  const payload = Buffer.from(text)
  const head =
    payload.length < 126 ? [0x81, 0x80 | payload.length] : [0x81, 0xfe, payload.length >> 8, payload.length & 255]
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload])
}

function reader(onMessage: (text: string) => void): (data: Buffer) => void {
  let held: Buffer = Buffer.alloc(0)
  return (data) => {
    held = held.length === 0 ? data : Buffer.concat([held, data])
    for (;;) {
      if (held.length < 2) return
      const short = (held[1] as number) & 127
      const headLength = short < 126 ? 2 : short === 126 ? 4 : 10
      if (held.length < headLength) return
      const length = short < 126 ? short : short === 126 ? held.readUInt16BE(2) : Number(held.readBigUInt64BE(2))
      if (held.length < headLength + length) return
      if (((held[0] as number) & 15) === 1) onMessage(held.toString('utf8', headLength, headLength + length))
      held = held.subarray(headLength + length)
    }
  }
}
