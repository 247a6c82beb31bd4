import { Problem } from '../../core/problem.ts'

/** Rate limits: budgets of calls, each counted separately. (D13) */

export type Budget =
  | 'read'
  | 'write'
  | 'sign-in'
  | 'upload'
  | 'ticket'
  | 'media'
  | 'variant'
  | 'assistant-test'
  | 'game'
  | 'bridge'
  | 'award-nomination'
  | 'award-vote'

interface Allowance {
  readonly calls: number
  readonly seconds: number
}

export type Allowances = Readonly<Record<Budget, Allowance>>

const standard: Allowances = {
  read: { calls: 6_000, seconds: 60 },
  write: { calls: 1_200, seconds: 60 },
  'sign-in': { calls: 300, seconds: 60 },
  upload: { calls: 60, seconds: 60 },
  // Tickets for real-time connections. (realtime: Operations)
  ticket: { calls: 20, seconds: 60 },
  // Delivered files, and files that must be created first. (M23)
  media: { calls: 3_000, seconds: 60 },
  variant: { calls: 60, seconds: 60 },
  // Per tournament, for all callers together. (assistant: Operations)
  'assistant-test': { calls: 6, seconds: 60 },
  // Sign-ins of games. (AS27)
  game: { calls: 10, seconds: 60 },
  // Ten live values a second per ticket, and some results. (AS30)
  bridge: { calls: 720, seconds: 60 },
  // Nominations and votes for awards. (awards: Operations)
  'award-nomination': { calls: 60, seconds: 3_600 },
  'award-vote': { calls: 300, seconds: 3_600 },
}

export type Headers = Readonly<Record<string, string>>

export interface RateLimits {
  /**
   * Counts one call of `caller`, or an expensive call as several, and returns the headers that tell how much is left.
   * @throws Problem `request.limited` with the same headers and `Retry-After`
   */
  count(budget: Budget, caller: string, calls?: number): Headers
  /** Whether one more call would be refused. */
  isSpent(budget: Budget, caller: string): boolean
  /** Adds calls that another process counted, in a window that ends at `endsAt`. (milliseconds since the epoch) */
  note(counted: Counted): void
  /** What was refused since the start of this process. */
  readonly refused: ReadonlyMap<Budget, Refused>
  /** Calls the listener with every call that is counted here. */
  onCount(listener: (counted: Counted) => void): void
}

/** Calls that were refused for one budget. */
export interface Refused {
  readonly calls: number
  readonly lastAt: Date
}

/** Calls of a caller within one window. */
export interface Counted {
  readonly budget: Budget
  readonly caller: string
  readonly calls: number
  readonly endsAt: number
}

/**
 * Rate limits with counters in this process's memory.
 * @param changed allowances that replace the defaults
 */
export function createRateLimits(changed: Partial<Allowances> = {}, now: () => number = Date.now): RateLimits {
  const allowances = { ...standard, ...changed }
  const counters = Object.fromEntries(
    Object.entries(allowances).map(([budget, allowance]) => [budget, new Counter(allowance)]),
  ) as Record<Budget, Counter>
  const listeners: ((counted: Counted) => void)[] = []
  const refused = new Map<Budget, Refused>()
  return {
    refused,
    note: ({ budget, caller, calls, endsAt }) => counters[budget]?.add(caller, calls, endsAt, now()),
    onCount: (listener) => void listeners.push(listener),
    isSpent: (budget, caller) => counters[budget].isSpent(caller, now()),
    count(budget, caller, calls = 1) {
      const at = now()
      const standing = counters[budget].take(caller, calls, at)
      const headers = headersOf(budget, allowances[budget], standing)
      if (standing.granted) {
        for (const listener of listeners) listener({ budget, caller, calls, endsAt: at + standing.msLeft })
        return headers
      }
      refused.set(budget, { calls: (refused.get(budget)?.calls ?? 0) + 1, lastAt: new Date(at) })
      const wait = Math.max(1, Math.ceil(standing.msLeft / 1000))
      throw new Problem('limited', 'request.limited', `Too many requests; try again in ${wait} s.`, {
        headers: { ...headers, 'retry-after': String(wait) },
      })
    },
  }
}

interface Standing {
  readonly granted: boolean
  readonly callsLeft: number
  /** Milliseconds until the whole budget is available again. */
  readonly msLeft: number
}

/** About 5 MB for each budget. */
const maxCallers = 25_000

/** Counts the calls of each caller in a window of time that begins with the first call. */
export class Counter {
  readonly #calls: number
  readonly #ms: number
  /** Windows in the order of their ends, since all have the same length. */
  readonly #windows = new Map<string, { used: number; readonly endsAt: number }>()

  constructor({ calls, seconds }: Allowance) {
    this.#calls = calls
    this.#ms = seconds * 1000
  }

  /** Number of windows in memory. */
  get size(): number {
    return this.#windows.size
  }

  /** Takes the calls from the caller's budget if enough are left. */
  take(caller: string, calls: number, now: number): Standing {
    let window = this.#windows.get(caller)
    if (window === undefined || window.endsAt <= now) {
      this.#windows.delete(caller)
      this.#forget(now)
      window = { used: 0, endsAt: now + this.#ms }
      this.#windows.set(caller, window)
    }
    const granted = window.used + calls <= this.#calls
    if (granted) window.used += calls
    return { granted, callsLeft: Math.max(0, this.#calls - window.used), msLeft: window.endsAt - now }
  }

  isSpent(caller: string, now: number): boolean {
    const window = this.#windows.get(caller)
    return window !== undefined && window.endsAt > now && window.used >= this.#calls
  }

  /** Adds calls that another process granted: they count, even beyond the budget. */
  add(caller: string, calls: number, endsAt: number, now: number): void {
    const window = this.#windows.get(caller)
    if (window !== undefined && window.endsAt > now) window.used += calls
    else if (endsAt > now) {
      this.#windows.delete(caller)
      this.#forget(now)
      this.#windows.set(caller, { used: calls, endsAt: Math.min(endsAt, now + this.#ms) })
    }
  }

  /**
   * Deletes expired windows and, when there are too many callers, the window that ends next; its caller starts anew.
   */
  #forget(now: number): void {
    for (const [caller, { endsAt }] of this.#windows) {
      if (endsAt > now && this.#windows.size < maxCallers) return
      this.#windows.delete(caller)
    }
  }
}

/** For `RATE_LIMITS=off`: counts nothing, and the headers show the whole budget. */
export function unlimited(): RateLimits {
  const full = Object.fromEntries(
    Object.entries(standard).map(([budget, allowance]) => [
      budget,
      headersOf(budget as Budget, allowance, { callsLeft: allowance.calls, msLeft: allowance.seconds * 1000 }),
    ]),
  ) as Record<Budget, Headers>
  return {
    count: (budget) => full[budget],
    isSpent: () => false,
    note: () => {},
    onCount: () => {},
    refused: new Map(),
  }
}

function headersOf(
  budget: Budget,
  { calls, seconds }: Allowance,
  { callsLeft, msLeft }: Omit<Standing, 'granted'>,
): Headers {
  const remaining = String(callsLeft)
  const reset = String(Math.ceil(msLeft / 1000))
  return {
    'ratelimit-policy': `"${budget}";q=${calls};w=${seconds}`,
    ratelimit: `"${budget}";r=${remaining};t=${reset}`,
    'x-ratelimit-limit': String(calls),
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': reset,
  }
}
