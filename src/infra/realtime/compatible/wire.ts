import { asOne, Frame } from '../doors/frame.ts'

/**
 * The subset of Engine.IO 4 and Socket.IO 5 that is needed for clients that use only WebSockets and the namespace `/`,
 * and whose events have one buffer as their argument. (socket.io: Engine.IO protocol; Socket.IO protocol)
 */

const protocolVersion = '4'

/**
 * Whether a handshake asks for the supported version and a new WebSocket connection: an upgrade from polling is not
 * supported.
 */
export function isSpoken(query: URLSearchParams): boolean {
  return query.get('EIO') === protocolVersion && query.get('transport') === 'websocket' && !query.has('sid')
}

export type Message =
  | { readonly kind: 'pong' }
  | { readonly kind: 'leave' }
  | { readonly kind: 'connect'; readonly namespace: string }
  /** `hasBuffer`: the event's argument is the next message. */
  | { readonly kind: 'event'; readonly name: string; readonly hasBuffer: boolean }

/** Kind, number of buffers, namespace, id of the requested acknowledgement, the rest. */
const packetForm = /^4([0-6])(?:(\d{1,3})-)?(?:(\/[^,]{0,100})(?:,|$))?\d{0,16}((?!\/).*)$/s

/** Parses a text message; null for an invalid message and for one that clients never need to send. */
export function readMessage(text: string): Message | null {
  if (text === '3') return { kind: 'pong' }
  if (text === '1') return { kind: 'leave' }
  const [, kind, buffers, namespace = '/', rest = ''] = packetForm.exec(text) ?? []
  // The query of the namespace is ignored.
  const isRoot = /^\/(\?|$)/.test(namespace)
  if (kind === '0') return buffers === undefined ? { kind: 'connect', namespace: isRoot ? '/' : namespace } : null
  if (!isRoot) return null
  if (kind === '1') return { kind: 'leave' }
  if (kind === '2' && buffers === undefined) return eventOf(rest, false)
  return kind === '5' && buffers === '1' ? eventOf(rest, true) : null
}

function eventOf(text: string, hasBuffer: boolean): Message | null {
  const parts = parsed(text)
  const [name, argument] = Array.isArray(parts) ? parts : []
  if (typeof name !== 'string') return null
  // A buffer is accepted only as the single argument.
  if (hasBuffer && (parts.length !== 2 || argument?._placeholder !== true)) return null
  return { kind: 'event', name, hasBuffer }
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any form.
function parsed(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const ping = new Frame('2')
export const goodbye = new Frame('41')

export interface Greeting {
  readonly sid: string
  readonly pingInterval: number
  /** Time to answer a ping, in addition to the interval. */
  readonly pingTimeout: number
  readonly maxPayload: number
}

export function open(greeting: Greeting): Frame {
  return new Frame(`0${JSON.stringify({ ...greeting, upgrades: [] })}`)
}

export function connected(sid: string): Frame {
  return new Frame(`40${JSON.stringify({ sid })}`)
}

export function notConnected(namespace: string, message: string): Frame {
  return new Frame(`44${namespace === '/' ? '' : `${namespace},`}${JSON.stringify({ message })}`)
}

export function event(name: string, argument: Uint8Array): Frame {
  return asOne(`451-${JSON.stringify([name, { _placeholder: true, num: 0 }])}`, argument)
}
