/** The functions of the platform that the client uses. Tests replace the clock, randomness and connections. */

/** Cancels a timer or a listener. */
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
  /** From 0 to 1, without 1. */
  readonly random: () => number
  readonly later: (ms: number, run: () => void) => Cancel
  readonly open: (url: string, protocol: string) => WebSocketLike
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Calls `run` whenever this machine is connected to a network again. */
  readonly onOnline: (run: () => void) => Cancel
}

/** Longer timers would fire immediately. */
const maxTimer = 2 ** 31 - 1

/** Browsers have these on `globalThis`, Node.js does not. */
type NetworkEvents = Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>

export const platform: Platform = {
  now: () => Date.now(),
  random: () => Math.random(),
  later(ms, run) {
    const timer = setTimeout(run, Math.min(ms, maxTimer))
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
 * The wait before the next attempt after `attempt` failures. It is random, so that the clients of a stopped gateway do
 * not all return at the same moment. The limit depends on the time waited too: a few of thousands of clients wait
 * almost nothing several times in a row, and by the number of attempts alone they would then wait for a quarter of a
 * minute although the gateway was away for two seconds.
 * @param waited milliseconds, in all attempts together
 */
export function backoff({ random }: Pick<Platform, 'random'>, attempt: number, waited = 0): number {
  return random() * Math.min(30_000, 500 * 2 ** attempt, 4_000 + 2 * waited)
}
