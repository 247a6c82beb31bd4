import type { UserCard } from './generated.ts'
import type { Operation } from './patch.ts'

/** The packets of the service, with the members that the client reads. */

/** The protocol of the client, which the handshake names. */
export const protocol = 'downbeat.v1'

export interface Limits {
  readonly subscriptions: number
  readonly packetBytes: number
  readonly packetsPerSecond: number
  readonly publishPerSecond: number
}

/** An event of the log, as its reader may see it. */
export interface Fact {
  /** Opaque; the same when the fact is sent again. */
  readonly id: string
  readonly type: string
  readonly subject: { readonly kind: string | null; readonly guid: string | null }
  readonly at: string
  /** The names of the changed members. */
  readonly changed: readonly string[]
  /** Only for staff: who changed it, and the values before and after. */
  readonly by?: string | null
  readonly before?: unknown
  readonly after?: unknown
}

/** Why facts before a snapshot may be missing. */
export interface Resync {
  readonly reason: 'expired' | 'too_many' | 'unknown'
}

interface Answer {
  /** The id of the request; absent when the packet answers none. */
  readonly id?: number
}

export interface Hello {
  readonly type: 'hello'
  readonly serverTime: string | number
  readonly limits: Limits
}

export interface Authenticated extends Answer {
  readonly type: 'authenticated'
  readonly user: UserCard | null
  readonly expiresAt: string | null
  readonly limits?: Limits
}

export interface Snapshot extends Answer {
  readonly type: 'snapshot'
  readonly topic: string
  readonly position: string
  readonly etag: string
  /** The body; documents that several users edit have it without position and ETag. */
  readonly body: unknown
  readonly facts?: readonly Fact[]
  readonly resync?: Resync
  readonly delayedBy?: number
}

export interface Resumed extends Answer {
  readonly type: 'resumed'
  readonly topic: string
  readonly position: string
  readonly etag: string
}

export interface Event extends Answer {
  readonly type: 'event'
  readonly topic: string
  readonly after: string
  readonly position: string
  readonly etag: string
  readonly patch: readonly Operation[]
  readonly facts?: readonly Fact[]
}

export interface State extends Answer {
  readonly type: 'state'
  readonly topic: string
  readonly states: Readonly<Record<string, unknown>>
  readonly gone?: readonly string[]
  readonly full?: boolean
}

/** A change of another editor. */
export interface Update extends Answer {
  readonly type: 'update'
  readonly topic: string
  readonly data: string
  readonly revision: number
}

/** Our update is stored. */
export interface Accepted extends Answer {
  readonly type: 'accepted'
  readonly topic: string
  readonly revision: number
}

export interface Ended extends Answer {
  readonly type: 'ended'
  readonly topic: string
  readonly reason: 'unsubscribed' | 'forbidden' | 'gone' | 'invalid' | 'too_large'
}

export interface Result extends Answer {
  readonly type: 'result'
  readonly status: number
  readonly body: unknown
  readonly etag?: string
  readonly revision?: number
  readonly replayed?: boolean
  readonly behind?: boolean
}

export interface ErrorPacket extends Answer {
  readonly type: 'error'
  readonly status: number
  readonly code: string
  readonly message: string
  readonly data?: unknown
  readonly retryAfterMs?: number
}

export interface Pong extends Answer {
  readonly type: 'pong'
  readonly serverTime: string | number
}

export interface Draining extends Answer {
  readonly type: 'draining'
  readonly reconnectInMs: number
}

/** The last packet of a stream, with the same meaning as the close code of a socket. */
export interface Closing extends Answer {
  readonly type: 'closing'
  readonly code: number
  readonly reason: string
}

/** A packet about a topic. */
export type TopicPacket = Snapshot | Resumed | Event | State | Update | Accepted | Ended

export type ServerPacket = TopicPacket | Hello | Authenticated | Result | ErrorPacket | Pong | Draining | Closing

/** Parses a packet; undefined when the text is no packet. Its members are trusted. */
export function parsePacket(text: unknown): ServerPacket | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const packet: unknown = JSON.parse(text)
    return typeof packet === 'object' && packet !== null && 'type' in packet ? (packet as ServerPacket) : undefined
  } catch {
    return undefined
  }
}

/** A time of the service in milliseconds since 1970. */
export function millisecondsOf(instant: string | number): number {
  return typeof instant === 'number' ? instant : Date.parse(instant)
}
