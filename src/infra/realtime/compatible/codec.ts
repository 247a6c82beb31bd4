import { isViewToken } from '../../http/admission.ts'
import type { CloseCode } from '../doors/closing.ts'
import type { Codec } from '../doors/codec.ts'
import type { Frame } from '../doors/frame.ts'
import type { CompatibleDoor, Held, Told } from './door.ts'
import type { CompatibleRead } from './read.ts'
import { connected, goodbye, notConnected, open, ping, readMessage } from './wire.ts'

/** Translates one connection of the compatible protocol: its messages into packets, and packets into its messages. */

/** A request that is still to be answered. */
type Asked =
  | { readonly kind: 'connect'; readonly namespace: string }
  | { readonly kind: 'authenticate' }
  | { readonly kind: 'read'; readonly read: CompatibleRead }

/** Milliseconds without a byte after which clients reconnect. (RT28) */
const silenceMs = 60_000
/**
 * Without a message before the close, the client reconnects by itself; for codes from this one on it must not. (RT31)
 */
const staysAway = 4100
const maxNameLength = 100

type Request = Readonly<Record<string, unknown>>

export class CompatibleCodec implements Codec {
  readonly ping = ping
  readonly #door: CompatibleDoor
  readonly #asked = new Map<number, Asked>()
  /** The states that the client has, by topic. */
  readonly #held = new Map<string, Held>()
  #isConnected = false
  /** The event whose argument is the next message. */
  #begun: string | null = null
  #sid = ''
  #lastId = 0

  constructor(door: CompatibleDoor) {
    this.#door = door
  }

  farewell(code: CloseCode): Frame | null {
    return this.#isConnected && code >= staysAway ? goodbye : null
  }

  // Incoming

  read(data: Buffer, isBinary: boolean): Request | CloseCode | 'left' | null {
    const message = isBinary ? null : readMessage(data.toString())
    if (message?.kind === 'pong') return null
    const begun = this.#begun
    this.#begun = null
    if (begun !== null) return isBinary ? this.#requestOf(begun, this.#door.packing.unpack(data)) : 4200
    if (message === null) return 4200
    if (message.kind === 'leave') return 'left'
    if (message.kind === 'connect') return this.#connect(message.namespace)
    if (!this.#isConnected) return 4200
    if (!message.hasBuffer) return this.#requestOf(message.name, null)
    this.#begun = message.name
    return null
  }

  #connect(namespace: string): Request | CloseCode {
    if (namespace === '/') {
      if (this.#isConnected) return 4200
      this.#isConnected = true
    }
    return { type: 'ping', id: this.#ask({ kind: 'connect', namespace }) }
  }

  /** Unknown events count for the rate limit, and are not answered. */
  #requestOf(name: string, argument: Request | null): Request {
    if (name === 'authenticate') {
      return { type: 'authenticate', id: this.#ask({ kind: 'authenticate' }), ...credentialIn(argument) }
    }
    const read = this.#door.reads.get(name)
    if (read === undefined) return { type: 'ping' }
    return { type: 'subscribe', id: this.#ask({ kind: 'read', read }), topic: topicOf(read, argument), replace: true }
  }

  #ask(asked: Asked): number {
    this.#asked.set(++this.#lastId, asked)
    return this.#lastId
  }

  // Outgoing

  write(frame: Frame): readonly Frame[] {
    const packet = this.#door.packetOf(frame)
    const asked = this.#asked.get(packet.id)
    this.#asked.delete(packet.id)
    if (packet.type === 'hello') return [this.#greet(packet)]
    if (packet.type === 'snapshot') return this.#tell(frame, packet, asked)
    if (packet.type === 'ended') return this.#end(packet)
    return asked === undefined ? [] : [this.#answer(asked, packet)]
  }

  #greet({ connection, heartbeatMs, limits }: Told): Frame {
    this.#sid = connection
    const pingTimeout = silenceMs - heartbeatMs
    return open({ sid: connection, pingInterval: heartbeatMs, pingTimeout, maxPayload: limits.packetBytes })
  }

  #answer(asked: Asked, { type, code, message }: Told): Frame {
    const isRefused = type === 'error'
    const error = isRefused ? { error: { code, message } } : {}
    switch (asked.kind) {
      case 'connect': {
        const isRoot = asked.namespace === '/'
        if (isRoot && !isRefused) return connected(this.#sid)
        if (isRoot) this.#isConnected = false
        return notConnected(asked.namespace, isRefused ? message : 'Invalid namespace')
      }
      case 'authenticate':
        return this.#door.emit('authentication:response', { success: !isRefused, ...error })
      case 'read':
        return this.#door.emit(`${asked.read.event}:response`, { [asked.read.answer]: null, ...error })
    }
  }

  #tell(frame: Frame, { topic, etag, body }: Told, asked: Asked | undefined): readonly Frame[] {
    const before = this.#held.get(topic)
    const read = asked?.kind === 'read' ? asked.read : before?.read
    if (read === undefined) return []
    this.#held.set(topic, { read, etag, body: body as never })
    if (asked !== undefined) return [this.#door.emit(`${read.event}:response`, { [read.answer]: body })]
    return before === undefined ? [] : this.#door.pushesOf(frame, before)
  }

  /** Sends what a new request for the read would get now: null. */
  #end({ topic }: Told): readonly Frame[] {
    const held = this.#held.get(topic)
    this.#held.delete(topic)
    if (held === undefined) return []
    const { event, answer } = held.read
    return [this.#door.emit(`${event}:response`, { [answer]: null })]
  }
}

/** A view token may be given in place of an access token. */
function credentialIn(argument: Request | null): object {
  if (typeof argument?.token !== 'string') return {}
  const token = argument.token.replace(/^Bearer +/i, '')
  return isViewToken(token) ? { viewToken: token } : { token }
}

/** The name of the topic that a request means; its parts are empty where the request does not name them. */
function topicOf({ operation, members }: CompatibleRead, argument: Request | null): string {
  const parts = operation.path.split('/').map((part) => {
    if (!part.startsWith(':')) return part
    const value = argument?.[members[part.slice(1)] ?? '']
    return typeof value === 'string' && value.length <= maxNameLength && value.isWellFormed()
      ? encodeURIComponent(value)
      : ''
  })
  return parts.join('/')
}
