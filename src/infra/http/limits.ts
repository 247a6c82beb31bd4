import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from '../../core/problem.ts'

/** Budgets of calls, each counted apart. (D13) */

export type Budget = 'read' | 'write' | 'sign-in' | 'upload'

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
}

export type Headers = Readonly<Record<string, string>>

export interface RateLimits {
  /**
   * Counts one call of `caller` and answers the headers that tell where they stand.
   * @throws Problem `request.limited` with the same headers and `Retry-After`
   */
  count(budget: Budget, caller: string): Promise<Headers>
}

/** Counts in this process's memory. */
export function createRateLimits(allowances: Allowances = standard): RateLimits {
  const limiters = Object.fromEntries(
    Object.entries(allowances).map(([budget, { calls, seconds }]) => [
      budget,
      new RateLimiterMemory({ keyPrefix: budget, points: calls, duration: seconds }),
    ]),
  ) as Record<Budget, RateLimiterMemory>
  return {
    async count(budget, caller) {
      try {
        return headersOf(budget, allowances[budget], await limiters[budget].consume(caller))
      } catch (refusal) {
        if (refusal instanceof Error) throw refusal
        const result = refusal as RateLimiterRes
        const wait = Math.max(1, Math.ceil(result.msBeforeNext / 1000))
        throw new Problem('limited', 'request.limited', `Too many requests; try again in ${wait} s.`, {
          headers: { ...headersOf(budget, allowances[budget], result), 'retry-after': String(wait) },
        })
      }
    },
  }
}

/** For `RATE_LIMITS=off`: nothing is counted, and the headers show the whole budget. */
export function unlimited(): RateLimits {
  const full = Object.fromEntries(
    Object.entries(standard).map(([budget, allowance]) => [
      budget,
      headersOf(budget as Budget, allowance, {
        remainingPoints: allowance.calls,
        msBeforeNext: allowance.seconds * 1000,
      }),
    ]),
  ) as Record<Budget, Headers>
  return { count: async (budget) => full[budget] }
}

function headersOf(
  budget: Budget,
  { calls, seconds }: Allowance,
  state: Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>,
): Headers {
  const remaining = String(Math.max(0, state.remainingPoints))
  const reset = String(Math.ceil(state.msBeforeNext / 1000))
  return {
    'ratelimit-policy': `"${budget}";q=${calls};w=${seconds}`,
    ratelimit: `"${budget}";r=${remaining};t=${reset}`,
    'x-ratelimit-limit': String(calls),
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': reset,
  }
}
