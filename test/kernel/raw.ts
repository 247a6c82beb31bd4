import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** HTTP/1.1 written by hand, for requests that no well-behaved client sends. */

export interface RawReply {
  readonly status: number
  /** Names in lower case; repeated headers are joined into one list. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

export interface Wire extends Disposable {
  readonly socket: Socket
  send(data: string | Uint8Array): void
  /** The next response; null when the connection ended before it was complete. Responses to `HEAD` have no body. */
  next(method?: string): Promise<RawReply | null>
  /** Resolves when the other side has closed the connection. */
  readonly closed: Promise<void>
}

export async function openWire(url: string): Promise<Wire> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  let received = Buffer.alloc(0)
  let ended = false
  let rouse = () => {}
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    rouse()
  })
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      ended = true
      rouse()
      resolve()
    })
  })
  // A server that refuses may close while we are still sending; its response counts.
  socket.on('error', () => {})
  return {
    socket,
    closed,
    send: (data) => void socket.write(data),
    async next(method = 'GET') {
      for (;;) {
        const parsed = parse(received, method, ended)
        if (parsed !== null) {
          received = received.subarray(parsed.length)
          return parsed.reply
        }
        if (ended) return null
        await new Promise<void>((resolve) => {
          rouse = resolve
        })
      }
    },
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

/** Sends one request on a new connection. */
export async function exchange(url: string, request: string | Uint8Array, method?: string): Promise<RawReply | null> {
  using wire = await openWire(url)
  wire.send(request)
  return await wire.next(method)
}

/** A request with these header lines and `Host`. */
export function requestText(line: string, headers: readonly string[] = [], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: localhost', ...headers, '', body].join('\r\n')
}

function parse(bytes: Buffer, method: string, ended: boolean): { reply: RawReply; length: number } | null {
  const head = bytes.indexOf('\r\n\r\n')
  if (head < 0) return null
  const [line = '', ...lines] = bytes.subarray(0, head).toString('latin1').split('\r\n')
  const status = Number(line.split(' ')[1])
  const headers = new Map<string, string>()
  for (const text of lines) {
    const colon = text.indexOf(':')
    const name = text.slice(0, colon).toLowerCase()
    const value = text.slice(colon + 1).trim()
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value)
  }
  const start = head + 4
  if (status === 100) {
    const final = parse(bytes.subarray(start), method, ended)
    return final === null ? null : { reply: final.reply, length: start + final.length }
  }
  const bodiless = method === 'HEAD' || status === 204 || status === 304
  const declared = headers.get('content-length')
  const length = bodiless ? 0 : declared === undefined ? bytes.length - start : Number(declared)
  // Without a length the body ends with the connection.
  if (bytes.length < start + length || (!bodiless && declared === undefined && !ended)) return null
  const text = bytes.subarray(start, start + length).toString()
  return { reply: { status, headers, text }, length: start + length }
}
