import type { UserCard } from './generated.ts'
import type { Operation } from './patch.ts'

/** What the service sends, as far as the client reads it. */

/** The protocol that the client speaks, named in the handshake. */
export const protocol = 'downbeat.v1'

export interface Limits {
  readonly subscriptions: number
  readonly packetBytes: number
  readonly packetsPerSecond: number
  readonly publishPerSecond: number
}

/** One event of the log, as its reader may see it. */
export interface Fact {
  /** Opaque; the same when the fact is told again. */
  readonly id: string
  readonly type: string
  readonly subject: { readonly kind: string | null; readonly guid: string | null }
  readonly at: string
  /** Names of the members that changed. */
  readonly changed: readonly string[]
  /** For staff alone: who did it, and what was there before and after. */
  readonly by?: string | null
  readonly before?: unknown
  readonly after?: unknown
}

/** Why facts may be missing before a snapshot. */
export interface Resync {
  readonly reason: 'expired' | 'too_many' | 'unknown'
}

interface Answer {
  /** That of the packet which this one answers; absent where it answers none. */
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
  /** Of what several edit without position and ETag. */
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

/** Somebody else has changed what several edit. */
export interface Update extends Answer {
  readonly type: 'update'
  readonly topic: string
  readonly data: string
  readonly revision: number
}

/** An update of ours is stored. */
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

/** The last packet of a stream; what a close code is to a socket. */
export interface Closing extends Answer {
  readonly type: 'closing'
  readonly code: number
  readonly reason: string
}

/** What tells of a topic. */
export type TopicPacket = Snapshot | Resumed | Event | State | Update | Accepted | Ended

export type ServerPacket = TopicPacket | Hello | Authenticated | Result | ErrorPacket | Pong | Draining | Closing

/** A packet as it came. Its members are the service's to get right; that it is a packet at all is looked at. */
export function parsePacket(text: unknown): ServerPacket | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const packet: unknown = JSON.parse(text)
    return typeof packet === 'object' && packet !== null && 'type' in packet ? (packet as ServerPacket) : undefined
  } catch {
    return undefined
  }
}

/** An instant of the service in milliseconds since 1970. */
export function millisecondsOf(instant: string | number): number {
  return typeof instant === 'number' ? instant : Date.parse(instant)
}
