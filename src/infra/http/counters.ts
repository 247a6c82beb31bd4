import { networkOf } from '../../core/network.ts'
import type { RequestFacts } from '../../core/operation.ts'
import type { RateLimits } from './limits.ts'

/** What operations count themselves against budgets. */

type Count = RateLimits['count']
export type Counters = Pick<RequestFacts, 'countGuess' | 'countUse'>

export function countersBy(count: Count): Counters {
  return {
    countGuess: (address) => void count('sign-in', networkOf(address)),
    countUse: (budget, of) => void count(budget, of),
  }
}

/** Counters of two runs of a command: the second does not count again what the first has counted. */
export function countersOfTwo(count: Count): { readonly first: Counters; readonly second: Counters } {
  const counted: string[] = []
  const keyOf = (...[budget, of]: Parameters<Count>) => `${budget} ${of}`
  return {
    first: countersBy((budget, of, ...rest) => {
      counted.push(keyOf(budget, of))
      return count(budget, of, ...rest)
    }),
    second: countersBy((budget, of, ...rest) => {
      const at = counted.indexOf(keyOf(budget, of))
      if (at === -1) return count(budget, of, ...rest)
      counted.splice(at, 1)
      return {}
    }),
  }
}
