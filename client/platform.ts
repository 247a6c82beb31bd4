/** What the client uses of its surroundings. Tests put a clock, randomness and connections of their own in their place. */

/** Prevents what was planned. */
export type Cancel = () => void

/** The part of a WebSocket that the client uses. */
export interface WebSocketLike {
  onmessage: ((event: { readonly data: unknown }) => void) | null
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null
  onerror: (() => void) | null
  send(text: string): void
  close(code?: number, reason?: string): void
}

export interface Platform {
  /** Milliseconds since 1970 by the clock of this machine, which may be wrong. */
  readonly now: () => number
  /** From 0 up to, but not including, 1. */
  readonly random: () => number
  readonly later: (ms: number, run: () => void) => Cancel
  readonly open: (url: string, protocol: string) => WebSocketLike
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Calls `run` whenever this machine is connected to a network again. */
  readonly onOnline: (run: () => void) => Cancel
}

/** Timers that are longer than this run at once instead. */
const longestTimer = 2 ** 31 - 1

/** Browsers have these on `globalThis`, Node.js has not. */
type NetworkEvents = Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>

export const platform: Platform = {
  now: () => Date.now(),
  random: () => Math.random(),
  later(ms, run) {
    const timer = setTimeout(run, Math.min(ms, longestTimer))
    return () => clearTimeout(timer)
  },
  open: (url, protocol) => new WebSocket(url, protocol) as WebSocketLike,
  fetch: (url, init) => fetch(url, init),
  onOnline(run) {
    const { addEventListener, removeEventListener } = globalThis as NetworkEvents
    addEventListener?.call(globalThis, 'online', run)
    return () => removeEventListener?.call(globalThis, 'online', run)
  },
}

/**
 * How long to wait before trying again, having failed `attempt` times: random, so that the clients of a gateway that ended
 * do not all come back at the same moment. (RT32) Of thousands some wait for next to nothing several times in a row: by the
 * number of attempts alone they would then wait for a quarter of a minute where the gateway was away for two seconds.
 * @param waited milliseconds, in all attempts together
 */
export function backoff({ random }: Pick<Platform, 'random'>, attempt: number, waited = 0): number {
  return random() * Math.min(30_000, 500 * 2 ** attempt, 4_000 + 2 * waited)
}
