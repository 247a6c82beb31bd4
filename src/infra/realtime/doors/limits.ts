/** Limits of connections. (RT29) */

export interface ConnectionLimits {
  readonly subscriptions: number
  readonly packetBytes: number
  readonly packetsPerSecond: number
  readonly burst: number
  readonly publishPerSecond: number
}

export const ofAnonymous: ConnectionLimits = {
  subscriptions: 20,
  packetBytes: 8 * 1024,
  packetsPerSecond: 5,
  burst: 20,
  publishPerSecond: 0,
}

export const ofUser: ConnectionLimits = {
  subscriptions: 50,
  packetBytes: 64 * 1024,
  packetsPerSecond: 20,
  burst: 60,
  publishPerSecond: 30,
}

/** Maximum bytes of a packet with a document update, which is base64. */
export const updateBytes = 128 * 1024

export const maxCommandsWaiting = 32
export const maxConnectionsOfAddress = 200
export const maxStreamsOfAddress = 6
/** Maximum number of connections of a user, or of a view token. */
export const maxOfHolder = { socket: 20, stream: 12 }
/** Maximum number of sockets of an application. */
export const maxConnectionsOfApplication = 500
export const handshakes = { perSecond: 10, burst: 60 }

/** The limits as the client receives them. */
export function told({ subscriptions, packetBytes, packetsPerSecond, publishPerSecond }: ConnectionLimits) {
  return { subscriptions, packetBytes, packetsPerSecond, publishPerSecond }
}

/** A token bucket: a burst, and a number per second. */
export class Bucket {
  #tokens: number
  #filledAt: number

  constructor(burst: number, now: number) {
    this.#tokens = burst
    this.#filledAt = now
  }

  /** Fills the bucket with a burst. */
  fill(burst: number): void {
    this.#tokens = burst
  }

  /** Takes one token, if there is one. */
  take(perSecond: number, burst: number, now: number): boolean {
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filledAt) / 1000) * perSecond)
    this.#filledAt = now
    if (this.#tokens < 1) return false
    this.#tokens--
    return true
  }
}
