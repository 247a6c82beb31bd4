import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assign } from './assign.ts'

/** The smallest sum over all assignments of rows to columns; Infinity where there is none. */
function leastSum(rows: readonly (readonly number[])[], taken: readonly number[] = []): number {
  const [row, ...rest] = rows
  if (row === undefined) return 0
  return Math.min(
    Infinity,
    ...row.map((cost, column) => (taken.includes(column) ? Infinity : cost + leastSum(rest, [...taken, column]))),
  )
}

const costs = fc.integer({ min: 1, max: 4 }).chain((rows) =>
  fc.integer({ min: 0, max: 5 }).chain((columns) =>
    fc.array(
      fc.array(fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 9 })), {
        minLength: columns,
        maxLength: columns,
      }),
      { minLength: rows, maxLength: rows },
    ),
  ),
)

test('the assignment is one of the cheapest, and null only where there is none', () => {
  fc.assert(
    fc.property(costs, (rows) => {
      const columns = rows[0]?.length ?? 0
      const chosen = assign(Float64Array.from(rows.flat()), rows.length, columns)
      const least = leastSum(rows)
      expect(chosen === null).toBe(least === Infinity)
      if (chosen === null) return
      expect(new Set(chosen).size).toBe(rows.length)
      expect([...chosen].reduce((sum, column, row) => sum + (rows[row]?.[column] ?? Infinity), 0)).toBe(least)
    }),
    { numRuns: 2000 },
  )
})

test('no rows need nothing', () => {
  expect(assign(new Float64Array(0), 0, 3)).toEqual(new Int32Array(0))
})
