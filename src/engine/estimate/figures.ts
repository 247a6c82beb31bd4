import type { Range } from './types.ts'

/**
 * A percentile by the nearest rank: the smallest value that at least this share of all values does not exceed. It is
 * always one of the values; 0 where there are none. (R5)
 * @param ascending the values with their counts, the least first
 */
export function percentile(ascending: readonly (readonly [value: number, count: number])[], share: number): number {
  const total = ascending.reduce((sum, [, count]) => sum + count, 0)
  let left = Math.ceil(total * share)
  for (const [value, count] of ascending) {
    left -= count
    if (left <= 0) return value
  }
  return 0
}

/** Median and ninth decile of values, which need no order. */
export function rangeOf(values: readonly number[]): Range {
  return rangeOfCounts(values.toSorted((one, other) => one - other).map((value) => [value, 1]))
}

export function rangeOfCounts(ascending: readonly (readonly [value: number, count: number])[]): Range {
  return { p50: percentile(ascending, 0.5), p90: percentile(ascending, 0.9) }
}
